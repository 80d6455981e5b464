/** A start of a schedule at another day or time: it alone, or with all that are to come. What is over is not taken along. */
import type { Listed, SchedulePayload } from '../../schedules'
import { clockOf, payloadOf, wireOf } from '../../schedules'
import { wall, weekday } from '../days'
import type { Occurrence } from '../week'

/** By the robot's own clock. */
export interface Moment {
  readonly day: string
  readonly time: string
}

export type Reach = 'one' | 'all'

const clock = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

export function momentOf(ms: number, zone: string): Moment {
  const { day, minutes } = wall(ms, zone)
  return { day, time: clock(minutes) }
}

export const isBefore = (moment: Moment, other: Moment) =>
  moment.day < other.day || (moment.day === other.day && moment.time <= other.time)

/** A robot of before does not know that one start may be moved alone. */
export const movesAlone = (own: Listed) => own.moves !== undefined

type From = Pick<Occurrence, 'day'>

export function moved(own: Listed, from: From, to: Moment, reach: Reach, today: string): SchedulePayload {
  const payload = payloadOf(own)
  const others = (own.moves ?? []).filter((move) => move.day !== from.day && (move.day >= today || move.to >= today))
  if (reach === 'one') {
    const back = to.day === from.day && to.time === clockOf(own.start_time)
    const move = { day: from.day, to: to.day, start_time: wireOf(to.time) }
    return { ...payload, moves: back ? others : [...others, move] }
  }
  const days = own.days.map((day) => (day === weekday(from.day) ? weekday(to.day) : day))
  return {
    ...payload,
    days: [...new Set(days)].sort(),
    start_time: wireOf(to.time),
    ...(own.moves && { moves: others }),
  }
}
