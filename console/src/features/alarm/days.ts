/** The last seven days, today last, each with what was raised; a day is its noon in UTC, so that no zone moves it. */
import type { Day } from '@/widgets/alarm/alarm-columns'
import { ALARM } from './rows'

interface Counted {
  readonly date: string
  readonly type: number
  readonly count: number
}

export const DAYS = 7
const DAY_MS = 86_400_000

const written = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The first and the last day for the call, by the viewer's own calendar. */
export function lastDays(now = new Date()): { startDate: string; endDate: string } {
  const noon = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate(), 12)
  return { startDate: written(noon - (DAYS - 1) * DAY_MS), endDate: written(noon) }
}

export function daysOf(rows: readonly Counted[], endDate: string): Day[] {
  const last = Date.parse(`${endDate}T12:00:00Z`)
  return Array.from({ length: DAYS }, (_, place) => {
    const at = last - (DAYS - 1 - place) * DAY_MS
    const ofDay = rows.filter(({ date }) => date === written(at))
    const sum = (isAlarm: boolean) =>
      ofDay.reduce((all, { type, count }) => all + ((type === ALARM) === isAlarm ? count : 0), 0)
    return { at, alarms: sum(true), notices: sum(false) }
  })
}
