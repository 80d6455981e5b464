/** How old a robot's data are and what that means (LOOK 7): older than this is dimmed and carries its age. */
import type { Mode } from './frames'
import type { Seen } from './store'

const AT_WORK_MS = 3000
const AT_REST_MS = 10_000 // heartbeats come each 5 s
const WORKING: ReadonlySet<Mode> = new Set(['cleaning', 'moving', 'riding', 'manual'])

/** ms since the robot said this: what the server's copy had already, and what passed here since. */
export const ageOf = (seen: Seen, now: number) => Math.max(0, (seen.row.ageMs ?? 0) + now - seen.receivedAt)

export function freshness(seen: Seen, now: number, offlineAfterMs: number): 'fresh' | 'stale' | 'offline' {
  const age = ageOf(seen, now)
  if (seen.row.mode === 'offline' || age >= offlineAfterMs) return 'offline'
  return age > (WORKING.has(seen.row.mode) ? AT_WORK_MS : AT_REST_MS) ? 'stale' : 'fresh'
}
