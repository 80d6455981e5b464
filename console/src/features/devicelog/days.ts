/** Of which days logs may be asked for: the first is today or one of the last seven. The server says the same. */
import dayjs from 'dayjs'

/** Days before today. */
export const OLDEST = 7

export type StartFault = 'start-within-7' | 'start-not-future'

export function faultOfStart(start: string | undefined, today = dayjs()): StartFault | undefined {
  if (!start) return undefined
  if (dayjs(start).isAfter(today, 'day')) return 'start-not-future'
  return dayjs(start).isBefore(today.subtract(OLDEST, 'day'), 'day') ? 'start-within-7' : undefined
}
