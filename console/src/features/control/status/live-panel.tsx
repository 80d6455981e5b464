/** What the robot sees, beside its map: whoever drives it looks at both. */
import { Link } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Panel } from '@/shared/ui/panel'
import { videoPath } from '@/widgets/paths'
import { LiveView } from '@/widgets/video/live-view'
import type { Subject } from './subject-band'

export function LivePanel({ device }: { device: Subject }) {
  const { t } = useTranslation('video')
  const mayList = useMay('device/videoHistory')
  return (
    <Panel
      title={t('common:live-video')}
      extra={mayList && <Link to={videoPath(device.deviceId)}>{t('recordings')}</Link>}
    >
      <LiveView autoStart compact deviceSerialNumber={device.deviceSerialNumber} />
    </Panel>
  )
}
