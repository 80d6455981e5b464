/** One alarm in a list: what it is, of which robot, when, how often, where it stands, and for how long. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useNow } from '@/shared/live/live'
import { StateMark } from '@/shared/marks/state-mark'
import { Row, Text } from '@/shared/ui/layout'
import { LEVEL_WORDS } from '@/widgets/alarm/levels'
import type { Column } from '@/widgets/list/columns'
import { Kind, markOf, State } from './alarm-marks'
import { type AlarmRow, RESOLVED, STATE_WORDS, TYPE_WORDS } from './rows'

const STEP_MS = 15_000

/** How long it has been open, or was. */
const spanOf = (row: AlarmRow, now: number) =>
  (row.resolveDate ? Date.parse(row.resolveDate) : now) - Date.parse(row.time)

function Name({ row }: { row: AlarmRow }) {
  const { number } = useFormats()
  return (
    <Row as="span" inline gap="m" align="center">
      <StateMark state={markOf(row)} size={20} />
      <span>
        <Text as="b" strong={row.state !== RESOLVED}>
          {row.content}
        </Text>
        {row.count > 1 && ` ${number(row.count)}×`}
        <small>{row.detail ? <bdi>{row.detail}</bdi> : <Kind row={row} />}</small>
      </span>
    </Row>
  )
}

function OpenFor({ row }: { row: AlarmRow }) {
  const { span } = useFormats()
  const now = useNow(STEP_MS)
  return (
    <Text as="span" strong={row.state !== RESOLVED}>
      {span(spanOf(row, now))}
    </Text>
  )
}

function Robot({ row }: { row: AlarmRow }) {
  const { t } = useTranslation('robot')
  const place =
    row.building && (row.floor ? t('floor-plan', { building: row.building, floor: row.floor }) : row.building)
  return (
    <>
      <bdi>{row.deviceCode}</bdi>
      <small>
        <bdi>{place || row.deviceSerialNumber}</bdi>
      </small>
    </>
  )
}

export const COLUMNS: readonly Column<AlarmRow>[] = [
  { key: 'content', label: 'common:alarm', heading: true, cell: (row) => <Name row={row} /> },
  { key: 'code', label: 'code', ltr: true, soft: true },
  { key: 'deviceCode', label: 'common:robot', cell: (row) => <Robot row={row} /> },
  {
    key: 'time',
    label: 'raised',
    value: ({ time }, { exact }) => exact(Date.parse(time)),
    cell: ({ time }, { exact }) => <time dateTime={time}>{exact(Date.parse(time))}</time>,
  },
  {
    key: 'state',
    label: 'state',
    value: ({ state }, { t }) => t(`common:${STATE_WORDS[state] ?? 'alarm-unknown'}`),
    cell: (row) => <State row={row} />,
  },
  {
    key: 'openFor',
    label: 'open-for',
    number: true,
    value: (row) => spanOf(row, Date.now()) / 1000,
    cell: (row) => <OpenFor row={row} />,
  },
  { key: 'type', label: 'type', extra: true, value: ({ type }, { t }) => t(`common:${TYPE_WORDS[type] ?? 'alarm'}`) },
  {
    key: 'level',
    label: 'common:alarm-level',
    extra: true,
    value: ({ level }, { t }) => t(`common:${LEVEL_WORDS[level] ?? 'level-info'}`),
  },
  { key: 'count', label: 'amount', number: true, extra: true },
  { key: 'deviceSerialNumber', label: 'common:serial-number', ltr: true, extra: true },
]
