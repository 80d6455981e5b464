/**
 * One day as lanes: what each robot did and will do, which elevators they ride, and where two want the same. Times as ms.
 */
import { wall } from '../days'
import { type Calendar, type Look, lookOf, mapOf, type Occurrence, type Robot, type Tone } from '../week'

export type Ride = Calendar['rides'][number]

interface Span {
  readonly key: string
  readonly label: string
  readonly from: number
  readonly until: number
  readonly tone: Tone | 'help'
  readonly clash: boolean
  /** Of a robot's work; an elevator's ride has none. */
  readonly look: Look | undefined
  /** What overlaps stands one under the other. */
  readonly row: number
  /** Since and until when nothing else stands in its row. */
  readonly room: readonly [number, number]
}

export interface Lane {
  readonly key: string
  readonly name: string
  /** Of a robot; an elevator has none. */
  readonly deviceId: number | undefined
  readonly spans: readonly Span[]
  readonly rows: number
}

export interface Lanes {
  readonly lanes: readonly Lane[]
  readonly clashes: readonly Ride[]
  readonly from: number
  readonly until: number
}

const HOUR_MS = 3600_000
const BEFORE_MS = 70 * 60_000 // what is shown before and after the first clash
const AFTER_MS = 150 * 60_000
const LEAST_MS = 10 * 60_000 // a work whose length nobody knows is still seen

const on = (day: string, zone: string) => (at: string) => wall(Date.parse(at), zone).day === day

/** The day whose lanes are shown unless one is chosen: the first with a clash, else today, else the first. */
export function usualDay(rides: readonly Ride[], days: readonly string[], today: string, zone: string): string {
  const clash = days.find((day) => rides.some((ride) => ride.otherId !== null && on(day, zone)(ride.start)))
  return clash ?? (days.includes(today) ? today : (days[0] ?? today))
}

type Placed = Omit<Span, 'row' | 'room'>

/** Each in the first row that is free when it begins. */
function stacked(spans: readonly Placed[]): Pick<Lane, 'spans' | 'rows'> {
  const ends: number[] = []
  const placed = [...spans]
    .sort((a, b) => a.from - b.from)
    .map((span) => {
      const free = ends.findIndex((end) => end <= span.from)
      const row = free < 0 ? ends.length : free
      ends[row] = span.until
      return { ...span, row }
    })
  const roomOf = ({ row, from }: { row: number; from: number }): readonly [number, number] => {
    const others = placed.filter((other) => other.row === row)
    return [
      Math.max(...others.filter((other) => other.from < from).map((other) => other.until)),
      Math.min(...others.filter((other) => other.from > from).map((other) => other.from)),
    ]
  }
  return { spans: placed.map((span) => ({ ...span, room: roomOf(span) })), rows: Math.max(1, ends.length) }
}

function robotLane(
  robot: Robot,
  list: readonly Occurrence[],
  rides: readonly Ride[],
  tones: ReadonlyMap<string, Tone>,
): Lane {
  const own = list.filter((occurrence) => occurrence.deviceId === robot.deviceId)
  const spans = own.map((occurrence): Placed => {
    const from = Date.parse(occurrence.start)
    const ridden = rides.filter((ride) => ride.deviceId === occurrence.deviceId && ride.occurrence === occurrence.start)
    const last = Math.max(
      from + Math.max(occurrence.seconds * 1000, LEAST_MS),
      ...ridden.map((ride) => Date.parse(ride.until)),
    )
    return {
      ...{ key: `${occurrence.kind}/${occurrence.schedule}/${occurrence.start}`, label: occurrence.schedule, from },
      until: occurrence.end ? Math.min(last, Date.parse(occurrence.end)) : last,
      tone: tones.get(mapOf(occurrence)) ?? 'idle',
      clash: lookOf(occurrence, false) === 'conflict',
      look: lookOf(occurrence, false),
    }
  })
  return { key: `robot/${robot.deviceId}`, name: robot.deviceCode, deviceId: robot.deviceId, ...stacked(spans) }
}

function elevatorLane(name: string, rides: readonly Ride[]): Lane {
  const clashing = (ride: Ride) =>
    ride.otherId !== null || rides.some((other) => other.otherId === ride.deviceId && other.start < ride.until)
  const spans = rides.map((ride): Span => {
    const clash = clashing(ride)
    return {
      ...{
        key: `${ride.deviceId}/${ride.start}`,
        label: ride.deviceCode,
        clash,
        tone: clash ? 'help' : 'idle',
        look: undefined,
      },
      ...{ from: Date.parse(ride.start), until: Date.parse(ride.until), row: 0, room: [-Infinity, Infinity] },
    }
  })
  return { key: `lift/${name}`, name, deviceId: undefined, spans, rows: 1 }
}

export function lanesOf(calendar: Calendar, day: string, zone: string, tones: ReadonlyMap<string, Tone>): Lanes {
  const ofDay = on(day, zone)
  const list = calendar.list.filter((occurrence) => occurrence.state !== 'skipped' && ofDay(occurrence.start))
  const rides = calendar.rides.filter((ride) => ofDay(ride.occurrence))
  const clashes = rides.filter((ride) => ride.otherId !== null)
  const robots = calendar.robots.filter((robot) => list.some((occurrence) => occurrence.deviceId === robot.deviceId))
  const elevators = [...new Set(rides.map((ride) => ride.elevatorName))].sort((a, b) => a.localeCompare(b))
  const all = [
    ...robots.map((robot) => robotLane(robot, list, rides, tones)),
    ...elevators.map((name) =>
      elevatorLane(
        name,
        rides.filter((ride) => ride.elevatorName === name),
      ),
    ),
  ]
  const spans = all.flatMap((lane) => lane.spans)
  const first = Math.min(...spans.map((span) => span.from))
  const last = Math.max(...spans.map((span) => span.until))
  const clash = clashes[0] && Date.parse(clashes[0].start)
  const from = clash === undefined ? first : Math.max(first, clash - BEFORE_MS)
  const until = clash === undefined ? last : Math.min(last, clash + AFTER_MS)
  const seen = { from: Math.floor(from / HOUR_MS) * HOUR_MS, until: Math.ceil(until / HOUR_MS) * HOUR_MS }
  return { lanes: all, clashes, ...(spans.length > 0 ? seen : { from: 0, until: HOUR_MS }) }
}

/** Full and half hours, full or every few hours: as many as fit. */
export function ticks(from: number, until: number): readonly number[] {
  const most = 9
  const step = [0.5, 1, 2, 3, 6].find((hours) => (until - from) / (hours * HOUR_MS) <= most) ?? 6
  const hours: number[] = []
  for (let at = from; at <= until; at += step * HOUR_MS) hours.push(at)
  return hours
}

/** Where a moment stands on the axis, in %; beyond its ends at the end. */
export const at = (moment: number, from: number, until: number) =>
  Math.max(0, Math.min(100, ((moment - from) / (until - from)) * 100))

const INSIDE = 14 // % of the axis: a shorter span has its name beside it
const BEHIND = 12 // % that are free: else the name stands before it, if there is more room

/** Where the name of a span stands, and how wide it may be: in parts of the span's own width. All as % of the axis. */
export function labelOf([left, right]: readonly [number, number], [since, next]: readonly [number, number]) {
  const width = right - left
  if (width >= INSIDE) return { side: 'inside', room: 1 } as const
  const [before, behind] = [left - since, next - right]
  return behind >= BEHIND || behind >= before
    ? ({ side: 'behind', room: behind / width } as const)
    : ({ side: 'before', room: before / width } as const)
}
