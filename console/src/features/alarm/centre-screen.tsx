/** /warn/index/warn: what was raised of all robots in scope, the newest first, below its last seven days. */
import { useTranslation } from '@/shared/i18n/text'
import { Page } from '@/shared/ui/panel'
import { AlarmList } from './alarm-list'
import { Week } from './week'

export function CentreScreen() {
  const { t } = useTranslation('alarm')
  return (
    <Page>
      <AlarmList
        name="alarm"
        label={t('common:alarm-centre')}
        above={({ device, owner }) => <Week deviceId={device} userId={owner} />}
      />
    </Page>
  )
}
