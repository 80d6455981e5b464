/**
 * The table's columns: what sorts is the list's copy of a robot, what stands in a cell its live row, which `LiveRow` follows
 * once for all its cells. Which columns are shown is the account's choice; state and name always are.
 */
import { createContext, type ReactNode, useContext } from 'react'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { useShow } from '@/shared/live/live'
import { Battery } from '@/shared/marks/battery'
import { LaneProgress } from '@/shared/marks/lanes'
import { MODE_TONE, MODE_WORD, useModeWord } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { useMay } from '@/shared/session/session'
import { Text } from '@/shared/ui/layout'
import type { Column } from '@/widgets/list/columns'
import { infoPath } from '@/widgets/paths'
import { usePlace } from '@/widgets/place'
import { asListed, type Listed, type Robot, useRobot } from '@/widgets/robot/robot'
import { useReason } from '../reason'
import styles from './device-table.module.css'

const URGENT: ReadonlySet<Mode> = new Set(['help', 'emergency', 'paused'])
const PERCENT = 100

const Live = createContext<Robot | undefined>(undefined)

/** Follows one robot for the cells of its row. */
export function LiveRow({ listed, children }: { listed: Listed; children: ReactNode }) {
  useShow({ robots: [listed.deviceId] })
  return <Live value={useRobot(listed)}>{children}</Live>
}

/** The robot of the row that this stands in. */
export const useLiveRow = (listed: Listed): Robot => useContext(Live) ?? asListed(listed)

const live = (Cell: (props: { row: Robot }) => ReactNode) => {
  const LiveCell = ({ listed }: { listed: Listed }) => <Cell row={useLiveRow(listed)} />
  return (listed: Listed) => <LiveCell listed={listed} />
}

/** These two always stand first. */
export const FIXED: readonly Column<Listed>[] = [
  {
    key: 'state',
    label: 'states',
    value: ({ mode, modeName }, { t }) => modeName || t(MODE_WORD[mode]),
    cell: live(State),
  },
  { key: 'name', label: 'name', heading: true, value: ({ deviceCode }) => deviceCode, cell: live(Name) },
]

export const COLUMNS: readonly Column<Listed>[] = [
  { key: 'serial', label: 'serial-number', cut: true, value: (row) => row.deviceSerialNumber },
  { key: 'type', label: 'device-type', cut: true, value: (row) => row.typeName },
  { key: 'site', label: 'site-place', cut: true, value: (row) => `${row.address} ${row.address1}`, cell: live(Site) },
  { key: 'battery', label: 'battery-level', value: ({ battery }) => battery, cell: live(Charge) },
  { key: 'task', label: 'task-or-reason', cut: true, value: ({ run }) => run, cell: live(Doing) },
  { key: 'progress', label: 'progress', value: ({ run, progress }) => run && progress, cell: live(Progress) },
  {
    key: 'cleaned',
    label: 'cleaned-area',
    number: true,
    value: ({ run, cleaned }) => run && cleaned,
    cell: live(Cleaned),
  },
  { key: 'disinfectant', label: 'disinfectant', extra: true, value: ({ liquid }) => liquid, cell: live(Liquid) },
  {
    key: 'heard',
    label: 'last-heard',
    extra: true,
    soft: true,
    value: ({ heartbeatTime }) => heartbeatTime,
    cell: live(LastSeen),
  },
  { key: 'customer', label: 'customer', extra: true, cut: true, value: (row) => row.customerName },
  { key: 'country', label: 'country', extra: true, cut: true, value: (row) => row.area },
  { key: 'province', label: 'province', extra: true, cut: true, value: (row) => row.province },
  { key: 'rack', label: 'rack-number', extra: true, cut: true, value: (row) => row.rackNumber },
  { key: 'software', label: 'software-version', extra: true, cut: true, value: (row) => row.soft_version },
]

function State({ row }: { row: Robot }) {
  const word = useModeWord()
  const tone = MODE_TONE[row.mode]
  return (
    <>
      <StateMark state={row.mode} size={16} />{' '}
      <span className={styles.state} style={{ color: `var(--state-${tone})`, background: `var(--state-${tone}-tint)` }}>
        <bdi>{word(row)}</bdi>
      </span>
    </>
  )
}

function Name({ row: { deviceId, deviceCode } }: { row: Robot }) {
  const mayInfo = useMay('device/info')
  return <bdi>{mayInfo ? <Link to={infoPath(deviceId)}>{deviceCode}</Link> : deviceCode}</bdi>
}

function Site({ row }: { row: Robot }) {
  const { floor } = usePlace()
  return (
    <>
      <bdi>{row.address}</bdi>
      {row.address1 && (
        <Text as="span" tone="quiet">
          {' '}
          · {floor(row.address1)}
        </Text>
      )}
    </>
  )
}

function Charge({ row }: { row: Robot }) {
  return row.mode !== 'offline' && <Battery percent={row.battery} />
}

function Doing({ row }: { row: Robot }) {
  const reason = useReason()
  const urgent = URGENT.has(row.mode) ? { color: `var(--state-${MODE_TONE[row.mode]})` } : undefined
  const text = reason(row)
  return (
    <span style={urgent} title={text}>
      {text}
    </span>
  )
}

function Progress({ row }: { row: Robot }) {
  const { t } = useTranslation('device')
  const { percent } = useFormats()
  return (
    row.run && (
      <span className={styles.progress}>
        <LaneProgress ratio={row.progress} label={t('progress')} />
        {percent(row.progress)}
      </span>
    )
  )
}

function Cleaned({ row }: { row: Robot }) {
  const { area } = useFormats()
  return row.run && area(row.cleaned).text
}

function Liquid({ row }: { row: Robot }) {
  const { percent } = useFormats()
  return row.mode !== 'offline' && row.liquid !== null && percent(row.liquid / PERCENT)
}

function LastSeen({ row }: { row: Robot }) {
  const { dateTime } = useFormats()
  return row.heartbeatTime !== null && dateTime(row.heartbeatTime)
}
