/** /warn/index/warn: what was raised of all robots in scope, the newest first, below its last seven days. */
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { AlarmList } from './alarm-list'
import { DutyLine } from './duty/duty-line'
import { SnoozeDialog } from './snooze/snooze-dialog'
import { Week } from './week'

const RotaDialog = lazy(async () => ({ default: (await import('./duty/rota-dialog')).RotaDialog }))
const RulesDialog = lazy(async () => ({ default: (await import('./notifications/rules-dialog')).RulesDialog }))

export function CentreScreen() {
  const { t } = useTranslation('alarm')
  const [ruling, setRuling] = useState(false)
  const [rota, setRota] = useState(false)
  const [planning, setPlanning] = useState(false)
  const mayPlan = useMay('warn/index/warn/resume')
  return (
    <Page>
      <AlarmList
        name="alarm"
        label={t('common:alarm-centre')}
        tools={
          <Row wrap gap="s">
            {mayPlan && <Button onClick={() => setPlanning(true)}>{t('plan-maintenance')}</Button>}
            <Button onClick={() => setRota(true)}>{t('duty-rota')}</Button>
            <Button onClick={() => setRuling(true)}>{t('rules')}</Button>
          </Row>
        }
        above={({ device, owner }) => (
          <>
            <DutyLine />
            <Week deviceId={device} userId={owner} figures />
          </>
        )}
      />
      {rota && (
        <Suspense>
          <RotaDialog onClose={() => setRota(false)} />
        </Suspense>
      )}
      {planning && <SnoozeDialog onClose={() => setPlanning(false)} />}
      {ruling && (
        <Suspense>
          <RulesDialog onClose={() => setRuling(false)} />
        </Suspense>
      )}
    </Page>
  )
}
