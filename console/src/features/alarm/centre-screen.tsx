/** /warn/index/warn: what was raised of all robots in scope, the newest first, below its last seven days. */
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Page } from '@/shared/ui/panel'
import { AlarmList } from './alarm-list'
import { Week } from './week'

const RulesDialog = lazy(async () => ({ default: (await import('./notifications/rules-dialog')).RulesDialog }))

export function CentreScreen() {
  const { t } = useTranslation('alarm')
  const [ruling, setRuling] = useState(false)
  return (
    <Page>
      <AlarmList
        name="alarm"
        label={t('common:alarm-centre')}
        tools={<Button onClick={() => setRuling(true)}>{t('rules')}</Button>}
        above={({ device, owner }) => <Week deviceId={device} userId={owner} />}
      />
      {ruling && (
        <Suspense>
          <RulesDialog onClose={() => setRuling(false)} />
        </Suspense>
      )}
    </Page>
  )
}
