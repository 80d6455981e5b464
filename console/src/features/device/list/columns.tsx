/** The table's columns. Which of them are shown is the account's choice; state and name always are. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Mode } from '@/shared/live/frames'
import { Battery } from '@/shared/marks/battery'
import { LaneProgress } from '@/shared/marks/lanes'
import { MODE_TONE } from '@/shared/marks/mode'
import { Text } from '@/shared/ui/layout'
import { usePlace } from '@/widgets/place'
import type { Robot } from '@/widgets/robot/robot'
import { useReason } from '../reason'
import styles from './device-table.module.css'

const URGENT: ReadonlySet<Mode> = new Set(['help', 'emergency', 'paused'])

export interface Column {
  readonly key: string
  readonly word: string
  readonly number?: true
  /** Shown only when somebody chooses it. */
  readonly extra?: true
  readonly Cell: (props: { row: Robot }) => ReactNode
}

const plain =
  (of: (row: Robot) => string): Column['Cell'] =>
  ({ row }) => (
    <td data-soft data-cut>
      <bdi>{of(row)}</bdi>
    </td>
  )

export const COLUMNS: readonly Column[] = [
  { key: 'serial', word: 'serial-number', Cell: plain((row) => row.deviceSerialNumber) },
  { key: 'type', word: 'device-type', Cell: plain((row) => row.typeName) },
  { key: 'site', word: 'site-place', Cell: Site },
  { key: 'battery', word: 'battery-level', Cell: Charge },
  { key: 'task', word: 'task-or-reason', Cell: Doing },
  { key: 'progress', word: 'progress', Cell: Progress },
  { key: 'cleaned', word: 'cleaned-area', number: true, Cell: Cleaned },
  { key: 'disinfectant', word: 'disinfectant', extra: true, Cell: Liquid },
  { key: 'heard', word: 'last-heard', extra: true, Cell: LastSeen },
  { key: 'customer', word: 'customer', extra: true, Cell: plain((row) => row.customerName) },
  { key: 'country', word: 'country', extra: true, Cell: plain((row) => row.area) },
  { key: 'province', word: 'province', extra: true, Cell: plain((row) => row.province) },
  { key: 'rack', word: 'rack-number', extra: true, Cell: plain((row) => row.rackNumber) },
  { key: 'software', word: 'software-version', extra: true, Cell: plain((row) => row.soft_version) },
]
function Site({ row }: { row: Robot }) {
  const { floor } = usePlace()
  return (
    <td data-cut>
      <bdi>{row.address}</bdi>
      {row.address1 && (
        <Text as="span" tone="quiet">
          {' '}
          · {floor(row.address1)}
        </Text>
      )}
    </td>
  )
}

function Charge({ row }: { row: Robot }) {
  return <td>{row.mode !== 'offline' && <Battery percent={row.battery} />}</td>
}

function Doing({ row }: { row: Robot }) {
  const reason = useReason()
  const urgent = URGENT.has(row.mode) ? { color: `var(--state-${MODE_TONE[row.mode]})` } : undefined
  return (
    <td data-cut style={urgent}>
      {reason(row)}
    </td>
  )
}

function Progress({ row }: { row: Robot }) {
  const { t } = useTranslation('device')
  const { percent } = useFormats()
  return (
    <td>
      {row.run && (
        <span className={styles.progress}>
          <LaneProgress ratio={row.progress} label={t('progress')} />
          {percent(row.progress)}
        </span>
      )}
    </td>
  )
}

function Cleaned({ row }: { row: Robot }) {
  const { area } = useFormats()
  return <td data-number>{row.run && area(row.cleaned).text}</td>
}

function Liquid({ row }: { row: Robot }) {
  const { percent } = useFormats()
  return <td>{row.mode !== 'offline' && percent(row.liquid / 100)}</td>
}

function LastSeen({ row }: { row: Robot }) {
  const { dateTime } = useFormats()
  return <td data-soft>{row.heartbeatTime !== null && dateTime(row.heartbeatTime)}</td>
}
