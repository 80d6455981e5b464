/** The way of a robot as the server stores it, and where it was and what it did at a time. */
import type { Answer } from '@/shared/rpc/contract'

export type Track = Answer<'/taskReport/replay'>

/** Where a robot was, and what is known beside. */
export type Way = Pick<Track, 'time' | 'x' | 'y' | 'yaw' | 'battery' | 'liquid' | 'modes'>

export interface Moment {
  readonly x: number
  readonly y: number
  readonly yaw: number
  readonly battery: number
  readonly liquid: number
  /** m/s; undefined where it was silent. */
  readonly speed: number | undefined
  /** A mode, or the robot's own word; undefined where none is known. */
  readonly mode: string | undefined
  /** How many points of the track are behind. */
  readonly count: number
}

/** The last point that is not after `ms`; -1 before the first. */
function pointBefore(times: readonly number[], ms: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= ms) low = middle + 1
    else high = middle
  }
  return low - 1
}

const between = (a: number, b: number, share: number) => a + (b - a) * share

const step = (a: number, b: number) => b - a

/** Headings meet at ±π: the nearer way round. */
const turned = (a: number, b: number, share: number) => a + Math.atan2(Math.sin(b - a), Math.cos(b - a)) * share

export type Mark = Track['marks'][number]

/** Marks that would lie on one another, together; `place` of each is a share of the line, growing. */
export function gather<M>(marks: readonly M[], place: (mark: M) => number, least: number): readonly (readonly M[])[] {
  const gathered: M[][] = []
  for (const mark of marks) {
    const last = gathered.at(-1)
    if (last?.[0] !== undefined && place(mark) - place(last[0]) < least) last.push(mark)
    else gathered.push([mark])
  }
  return gathered
}

const GAP_MS = 30_000 // it was silent: nobody knows where it was meanwhile

/** Between two points it drove straight; undefined where nothing is stored. */
export function momentAt(track: Way, ms: number): Moment | undefined {
  const { time, x, y, yaw, battery, liquid } = track
  if (time.length === 0) return undefined
  const i = Math.max(0, pointBefore(time, ms))
  const next = Math.min(i + 1, time.length - 1)
  const [from = 0, to = 0] = [time[i], time[next]]
  const continuous = to > from && to - from <= GAP_MS
  const share = continuous ? Math.min(Math.max((ms - from) / (to - from), 0), 1) : 0
  const at = (column: readonly number[], mix = between) => mix(column[i] ?? 0, column[next] ?? 0, share)
  return {
    ...{ x: at(x), y: at(y), yaw: at(yaw, turned), battery: at(battery), liquid: at(liquid) },
    speed: continuous ? (Math.hypot(at(x, step), at(y, step)) / (to - from)) * 1000 : undefined,
    mode: track.modes.findLast(({ time }) => time <= ms)?.mode,
    count: i + 1,
  }
}

/** Flat x0, y0, x1, y1 … of what it drove until then. */
export function wayUntil({ x, y }: Way, moment: Moment): readonly number[] {
  const way: number[] = []
  for (let i = 0; i < moment.count; i++) way.push(x[i] ?? 0, y[i] ?? 0)
  way.push(moment.x, moment.y)
  return way
}
