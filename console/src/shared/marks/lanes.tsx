/** Progress and columns drawn as a robot's lanes, never as a gradient (LOOK 1.7, 6). */
import { useFormats } from '../i18n/format'
import styles from './lanes.module.css'

interface Progress {
  /** 0 to 1. */
  ratio: number
  /** Says what progresses, for those who do not see it. */
  label: string
  width?: number | string
}

export function LaneProgress({ ratio, label, width = '100%' }: Progress) {
  const { percent } = useFormats()
  const part = Math.min(Math.max(ratio, 0), 1)
  return (
    <div
      className={styles.track}
      style={{ width }}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
      aria-valuetext={percent(part)}
    >
      <i style={{ inlineSize: `${part * 100}%` }} />
    </div>
  )
}

interface Columns {
  values: readonly number[]
  /** Index of the present column; later ones are the future. */
  present: number
  label: string
  /** Words under the axis, by index. */
  ticks: Readonly<Record<number, string>>
  width?: number
  height?: number
  /** What one value says in the table for screen readers. */
  say(value: number, index: number): string
}

const PITCH = 5.2 // px from lane to lane
const LANE = 4.2
const GAP = 2.6
const AXIS = 17

/** Columns of stacked lanes: one lane is a round amount. Time runs left to right in every language. */
export function LaneColumns({ values, present, label, ticks, width = 276, height = 62, say }: Columns) {
  const step = width / values.length
  const room = Math.floor((height - AXIS) / PITCH)
  const lane = round(Math.max(...values, 1) / room)
  const lanes = (value: number, column: number) => {
    const empty = column > present || value === 0
    const fill = empty ? 'var(--state-idle-tint)' : column === present ? 'var(--primary)' : 'var(--past)'
    const count = empty ? 1 : Math.max(Math.round(value / lane), 1)
    return Array.from({ length: count }, (_, i) => ({
      x: column * step + 1,
      y: height - AXIS - LANE - i * PITCH,
      fill,
    }))
  }
  return (
    <figure className={styles.figure}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} overflow="visible" aria-hidden="true">
        {values.flatMap(lanes).map(({ x, y, fill }) => (
          <rect key={`${x}/${y}`} x={x} y={y} width={step - GAP} height={LANE} rx="1" fill={fill} />
        ))}
        {Object.entries(ticks).map(([column, word]) => (
          <text key={column} x={(Number(column) + 0.5) * step} y={height - 2} className={styles.tick}>
            {word}
          </text>
        ))}
      </svg>
      <table className="unseen">
        <caption>{label}</caption>
        <tbody>
          {values.map((value, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in time
            <tr key={i}>
              <td>{say(value, i)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

/** 1, 2 or 5 times a power of ten: the amount that one lane stands for. */
function round(amount: number): number {
  const power = 10 ** Math.floor(Math.log10(amount))
  return ([1, 2, 5, 10].find((n) => n * power >= amount) ?? 10) * power
}

/** Seven days as a line with its last point; absent days leave a gap. `values` are ratios. */
export function Sparkline({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const known = values.flatMap((v, i) =>
    v === null ? [] : [{ x: 2 + (i * 52) / Math.max(values.length - 1, 1), y: 14 - v * 11 }],
  )
  const last = known.at(-1)
  return (
    <svg width="58" height="16" viewBox="0 0 58 16" role="img" aria-label={label} style={{ direction: 'ltr' }}>
      <title>{label}</title>
      <path d="M2 3H54" stroke="var(--border)" strokeDasharray="1 3" />
      <polyline
        points={known.map((p) => `${p.x},${p.y}`).join(' ')}
        fill="none"
        stroke="var(--primary)"
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
      {last && <circle cx={last.x} cy={last.y} r="2.6" fill="var(--primary)" />}
    </svg>
  )
}
