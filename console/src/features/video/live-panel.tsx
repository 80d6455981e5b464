import { useTranslation } from '@/shared/i18n/text'
import { Panel } from '@/shared/ui/panel'
import { LiveView } from '@/widgets/video/live-view'

export function LivePanel({ deviceSerialNumber }: { deviceSerialNumber: string }) {
  const { t } = useTranslation('video')
  return (
    <Panel title={t('common:live-video')}>
      <LiveView deviceSerialNumber={deviceSerialNumber} />
    </Panel>
  )
}
