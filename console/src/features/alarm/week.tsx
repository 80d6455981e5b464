/** The alarms of the last seven days in one band above their list. */
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Boundary } from '@/shared/ui/boundary'
import { Panel } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import styles from './alarm.module.css'
import { Chart } from './chart'
import { daysOf, lastDays } from './days'

interface Props {
  deviceId?: number | undefined
  userId?: number | undefined
}

export function Week({ deviceId, userId }: Props) {
  const { t } = useTranslation('alarm')
  const span = lastDays()
  const chart = useCall(
    '/warn/chart',
    { ...span, ...(userId && { userId }), ...(deviceId && { deviceIds: [deviceId] }) },
    { keep: true },
  )
  return (
    <Panel title={t('last-7-days')}>
      <Boundary>
        <QueryView query={chart}>
          {({ list }) => (
            <div className={styles.head}>
              <Chart days={daysOf(list, span.endDate)} />
            </div>
          )}
        </QueryView>
      </Boundary>
    </Panel>
  )
}
