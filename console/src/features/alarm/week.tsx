/** The alarms of the last seven days in one band above their list: how many are open, how long they took, and day by day. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Boundary } from '@/shared/ui/boundary'
import { Panel } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import styles from './alarm.module.css'
import { Chart } from './chart'
import { DAYS, daysOf, lastDays } from './days'

interface Props {
  deviceId?: number | undefined
  userId?: number | undefined
  /** What is open now, and the mean times, beside the chart. */
  figures?: boolean
}

export function Week({ deviceId, userId, figures = false }: Props) {
  const { t } = useTranslation('alarm')
  const span = lastDays()
  const owner = userId ? { userId } : {}
  const chart = useCall(
    '/warn/chart',
    { ...span, ...owner, ...(deviceId && { deviceIds: [deviceId] }) },
    { keep: true },
  )
  return (
    <Panel title={t('last-7-days')}>
      <Boundary>
        <div className={styles.head}>
          {figures && <Figures deviceId={deviceId} userId={userId} />}
          <QueryView query={chart} loading={<ChartRoom endDate={span.endDate} />}>
            {({ list }) => <Chart days={daysOf(list, span.endDate)} />}
          </QueryView>
        </div>
      </Boundary>
    </Panel>
  )
}

/** What the chart will take, so that nothing below it moves when it comes. */
const ChartRoom = ({ endDate }: { endDate: string }) => (
  <div className={styles.room}>
    <Chart days={daysOf([], endDate)} />
  </div>
)

function Figures({ deviceId, userId }: Props) {
  const { t } = useTranslation('alarm')
  const { number, duration } = useFormats()
  const owner = userId ? { userId } : {}
  const open = useCall('/warn/listUnProcess', { ...owner, ...(deviceId && { deviceId }) }, { keep: true }).data
  const measures = useCall(
    '/warn/measures',
    { days: DAYS, ...owner, ...(deviceId && { deviceIds: [deviceId] }) },
    { keep: true },
  ).data
  const mean = (name: 'take' | 'resolve') => {
    const value = measures?.list.find((measure) => measure.name === name)?.value ?? null
    return value === null ? '–' : duration(value)
  }
  return (
    <dl className={styles.figures}>
      <div data-help={Boolean(open?.count) || undefined}>
        <dt>{t('common:alarm-unresolved')}</dt>
        <dd>{open ? number(open.count) : '–'}</dd>
      </div>
      <div>
        <dt>{t('are-on-it')}</dt>
        <dd>{open ? number(open.taken) : '–'}</dd>
      </div>
      <div>
        <dt>{t('measure-take')}</dt>
        <dd>{mean('take')}</dd>
      </div>
      <div>
        <dt>{t('measure-resolve')}</dt>
        <dd>{mean('resolve')}</dd>
      </div>
    </dl>
  )
}
