/** Robots that wait for somebody, oldest first: what is wrong, for how long, what waits, and one click to the control page. */
import { IconMapPin } from '@tabler/icons-react'
import { Button } from 'antd'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCounts, useNow } from '@/shared/live/live'
import { MODE_TONE } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { Tag } from '@/shared/marks/tag'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { useCause } from '@/widgets/alarm/cause'
import { LinkButton } from '@/widgets/list/link-button'
import { alarmPath, controlPath } from '@/widgets/paths'
import { headWith } from './live-floors'
import { needy, oldestFirst } from './needs'
import styles from './needs.module.css'

type RobotRow = Answer<'/device/selectDevicePc'>['list'][number]
type OpenAlarm = Answer<'/warn/listUnProcess'>['list'][number]

const ALARM = 2 // the type; 1 is a notice
const MOST = 30 // one page; the list is sorted by need, so who waits comes first
const AGE_STEP_MS = 15_000

export function NeedsYou() {
  const { t } = useTranslation('status')
  const { number } = useFormats()
  const rows = useCall('/device/selectDevicePc', { currentPage: 1, pageSize: MOST }, { also: ['state'] })
  const waiting = useWaiting()
  const { refetch } = rows
  // biome-ignore lint/correctness/useExhaustiveDependencies: who needs somebody changed, so ask again
  useEffect(() => void refetch(), [waiting, refetch])
  const needs = (rows.data?.list ?? []).filter((row: RobotRow) => needy(row.mode)).sort(oldestFirst)
  const alarms = useAlarms(needs)
  const count = needs.length + alarms.length
  const title = (
    <>
      {t('needs-you')} {count > 0 && <Tag tone="help">{number(count)}</Tag>}
    </>
  )
  return (
    <Panel className={styles.needs} title={title} extra={needs.length > 1 && t('oldest-first')}>
      <QueryView query={rows}>
        {() =>
          count === 0 ? (
            <Nothing why={t('nobody-needs-you')} />
          ) : (
            <ul aria-label={t('needs-you')}>
              {needs.map((row: RobotRow, i: number) => (
                <Need key={row.deviceId} row={row} first={i === 0} />
              ))}
              {alarms.map((alarm) => (
                <AlarmNeed key={alarm.warnId} alarm={alarm} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  )
}

/** Open alarms, and no notices, of robots that do not stand in the list by their state already. */
function useAlarms(needs: readonly RobotRow[]): readonly OpenAlarm[] {
  const may = useMay('index/realWarn')
  const open = useCall('/warn/listUnProcess', {}, { enabled: may })
  const listed = new Set(needs.map(({ deviceId }) => deviceId))
  return (open.data?.list ?? []).filter(({ type, deviceId }) => type === ALARM && !listed.has(deviceId))
}

function AlarmNeed({ alarm }: { alarm: OpenAlarm }) {
  const { t } = useTranslation('status')
  const { span } = useFormats()
  const now = useNow(AGE_STEP_MS)
  const mayControl = useMay('device_control/index')
  return (
    <Row as="li" gap="m" pad="m panel" rule="above" className={styles.need} style={{ color: 'var(--state-help)' }}>
      <StateMark state="help" size={22} />
      <Row stack grow>
        <Row gap="m" justify="between" className={styles.fact}>
          <Link to={alarmPath(alarm.warnId)}>
            <b>{alarm.content}</b>
          </Link>
          <Text as="time" strong dateTime={alarm.time}>
            {span(now - Date.parse(alarm.time))}
          </Text>
        </Row>
        <Row as="p" gap="m" align="center" above="m">
          {mayControl && (
            <LinkButton to={controlPath(alarm)} size="small">
              {t('open-control')}
            </LinkButton>
          )}
          <Text as="bdi" size="small" tone="quiet" end cut>
            {alarm.deviceCode}
          </Text>
        </Row>
      </Row>
    </Row>
  )
}

/** Grows or shrinks with the robots that wait, as the socket counts them. */
function useWaiting() {
  const modes = useCounts()?.modes
  return `${modes?.help ?? 0}/${modes?.emergency ?? 0}/${modes?.paused ?? 0}`
}

function Need({ row, first }: { row: RobotRow; first: boolean }) {
  const { t } = useTranslation('status')
  const formats = useFormats()
  const cause = useCause()
  const now = useNow(AGE_STEP_MS)
  const control = controlPath(row)
  const mayControl = useMay('device_control/index')
  const place = () => {
    const head = headWith(row.deviceId)
    head?.scrollIntoView({ block: 'center' })
    head?.focus()
  }
  return (
    <Row
      as="li"
      gap="m"
      pad="m panel"
      rule="above"
      className={styles.need}
      style={{ color: `var(--state-${MODE_TONE[row.mode]})` }}
    >
      <StateMark state={row.mode} size={22} />
      <Row stack grow>
        <Row as="p" gap="m" justify="between" className={styles.fact}>
          <b>{cause(row)}</b>
          {row.modeSince !== null && (
            <Text as="time" strong>
              {formats.span(now - row.modeSince)}
            </Text>
          )}
        </Row>
        <Text size="small" tone="quiet" cut>
          {row.taskName
            ? t('task-waits', { task: row.taskName, progress: formats.percent(row.progress) })
            : t('no-task-waits')}
        </Text>
        <Row as="p" gap="m" align="center" above="m">
          {mayControl && control && (
            <LinkButton to={control} size="small" type={first ? 'primary' : 'default'}>
              {t('open-control')}
            </LinkButton>
          )}
          {row.mapId !== null && (
            <Button
              size="small"
              icon={<IconMapPin size={15} stroke={1.75} />}
              aria-label={t('show-on-floor', { robot: row.deviceCode })}
              title={t('show-on-floor', { robot: row.deviceCode })}
              onClick={place}
            />
          )}
          <Text as="bdi" size="small" tone="quiet" end cut>
            {row.deviceCode}
          </Text>
        </Row>
      </Row>
    </Row>
  )
}
