/** Alarms over notices, day by day, as stacked lanes. What they say in words stands beside them. */
import { useFormats } from '@/shared/i18n/format'
import styles from './alarm-columns.module.css'

export interface Day {
  /** Noon of the day in UTC, ms. */
  readonly at: number
  readonly alarms: number
  readonly notices: number
}

const WIDTH = 300
const AXIS = 17
const PITCH = 5.2 // px from lane to lane
const LANE = 4.2
const GAP = 18

export function AlarmColumns({ days, height = 70 }: { days: readonly Day[]; height?: number }) {
  const { dayName } = useFormats()
  const most = Math.max(0, ...days.map(({ alarms, notices }) => alarms + notices))
  const step = WIDTH / Math.max(days.length, 1)
  const lane = Math.max(1, Math.ceil(most / Math.floor((height - AXIS) / PITCH)))
  const lanes = (day: Day, place: number) => {
    const below = Math.ceil(day.notices / lane)
    const all = below + Math.ceil(day.alarms / lane)
    return Array.from({ length: Math.max(all, 1) }, (_, nth) => ({
      x: place * step + GAP / 2,
      y: height - AXIS - LANE - nth * PITCH,
      fill: all === 0 ? 'var(--state-idle-tint)' : nth < below ? 'var(--state-paused)' : 'var(--state-help)',
    }))
  }
  return (
    <svg width={WIDTH} height={height} viewBox={`0 0 ${WIDTH} ${height}`} overflow="visible" aria-hidden="true">
      {days.flatMap(lanes).map(({ x, y, fill }) => (
        <rect key={`${x}/${y}`} x={x} y={y} width={step - GAP} height={LANE} rx="1" fill={fill} />
      ))}
      {days.map(({ at }, place) => (
        <text key={at} x={(place + 0.5) * step} y={height - 2} className={styles.tick}>
          {dayName(at)}
        </text>
      ))}
    </svg>
  )
}
