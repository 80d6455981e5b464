/** Who needs somebody, from the robots' own states: help, emergency stop and pause; the oldest first. */
import type { Mode } from '@/shared/live/frames'

const NEEDY: readonly Mode[] = ['help', 'emergency', 'paused']

export const needy = (mode: Mode) => NEEDY.includes(mode)

interface Waiting {
  readonly mode: Mode
  /** Since when the robot is so, ms; null when nobody knows. */
  readonly modeSince: number | null
  readonly deviceCode: string
}

/** Known times before unknown ones, then the graver state, then the name. */
export function oldestFirst(a: Waiting, b: Waiting): number {
  const age = (a.modeSince ?? Number.MAX_SAFE_INTEGER) - (b.modeSince ?? Number.MAX_SAFE_INTEGER)
  return age || NEEDY.indexOf(a.mode) - NEEDY.indexOf(b.mode) || a.deviceCode.localeCompare(b.deviceCode)
}
