/** The alarms that were raised while the run was under way, the newest first; nothing of a run without any. */
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { StateMark } from '@/shared/marks/state-mark'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { markOfOpen } from '@/widgets/alarm/open-alarms'
import { alarmPath } from '@/widgets/paths'
import type { Detail } from './detail'

const MOST = 50

export function AlarmsPanel({ report: { deviceId, run } }: { report: Detail }) {
  const { t } = useTranslation('alarm')
  const { dateTime, number } = useFormats()
  const may = useMay('index/realWarn')
  const alarms = useCall(
    '/warn/list',
    { deviceId, run, currentPage: 1, pageSize: MOST },
    { enabled: may && run !== '' },
  ).data
  if (!alarms || alarms.total === 0) return null
  return (
    <Panel title={t('alarms-of-run')} extra={number(alarms.total)}>
      <Row as="ul" stack gap="m" size="control" pad="m panel">
        {alarms.list.map((alarm) => (
          <Row as="li" key={alarm.warnId} gap="m" align="center">
            <StateMark state={markOfOpen(alarm)} size={16} />
            <Text as="span" grow>
              <Link to={alarmPath(alarm.warnId)}>{alarm.content}</Link>
              {alarm.count > 1 && ` ${number(alarm.count)}×`}
            </Text>
            <Text as="time" tone="soft" dateTime={alarm.time}>
              {dateTime(Date.parse(alarm.time))}
            </Text>
          </Row>
        ))}
      </Row>
    </Panel>
  )
}
