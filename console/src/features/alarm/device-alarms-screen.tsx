/** /device/warn: the alarms of robots, one robot at a time where it is chosen; what is old of one can be deleted. */
import { Button } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { AlarmList } from './alarm-list'
import { ClearDialog } from './clear-dialog'
import { FILTERS } from './filters'

export function DeviceAlarmsScreen() {
  const { t } = useTranslation('alarm')
  const mayDelete = useMay('device/warn/delete')
  const { device } = FILTERS.read(useSearchParams()[0])
  const [clearing, setClearing] = useState(false)
  return (
    <Page>
      <AlarmList
        name="deviceAlarm"
        label={t('common:device-alarms')}
        tools={mayDelete && <Button onClick={() => setClearing(true)}>{t('delete-before')}</Button>}
      />
      {clearing && <ClearDialog deviceId={device} onClose={() => setClearing(false)} />}
    </Page>
  )
}
