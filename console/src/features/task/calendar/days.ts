/** Days of a wall clock as `YYYY-MM-DD`, weeks, and what a zone's clock shows. */
const DAY_MS = 24 * 3600_000

const noon = (day: string) => Date.parse(`${day}T12:00:00Z`)

/** Noon of that day in UTC: what formatters of days are given, with the zone UTC. */
export const dayMs = noon

export const plusDays = (day: string, days: number) => new Date(noon(day) + days * DAY_MS).toISOString().slice(0, 10)

export const daysBetween = (first: string, last: string) => Math.round((noon(last) - noon(first)) / DAY_MS)

/** 1 is Monday. */
export const weekday = (day: string) => ((new Date(noon(day)).getUTCDay() + 6) % 7) + 1

/** `first`: the day that a week begins with, 1 is Monday. */
export const weekOf = (day: string, first = 1): readonly string[] => {
  const start = plusDays(day, -((weekday(day) - first + 7) % 7))
  return Array.from({ length: 7 }, (_, n) => plusDays(start, n))
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clock(zone: string): Intl.DateTimeFormat {
  const known =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit' },
    })
  clocks.set(zone, known)
  return known
}

/** What the wall clock of a zone shows then: day, and minutes since midnight. */
export function wall(ms: number, zone: string): { readonly day: string; readonly minutes: number } {
  const parts = Object.fromEntries(
    clock(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    minutes: Number(parts.hour) * 60 + Number(parts.minute),
  }
}

/** `UTC+1`, `UTC−3:30`: how far its clock is from UTC then. */
export function offset(ms: number, zone: string): string {
  const { day, minutes } = wall(ms, zone)
  const local = Date.parse(`${day}T00:00:00Z`) + minutes * 60_000
  const apart = Math.round((local - ms) / 60_000)
  const rest = Math.abs(apart) % 60
  const hours = Math.floor(Math.abs(apart) / 60)
  return `UTC${apart < 0 ? '−' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`
}
