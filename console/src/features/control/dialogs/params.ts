/** What a parameter is called, and what is wrong with a value before the robot has to say it. */
import { isKeyOf } from '@/shared/keys'
import type { Range } from './use-params'

const NAMES = {
  speed_low: 'param-speed-low',
  speed_middle: 'param-speed-middle',
  speed_high: 'param-speed-high',
  speed_moving: 'param-speed-moving',
  hand_linear: 'param-hand-linear',
  hand_angular: 'param-hand-angular',
  charge_below: 'param-charge-below',
  go_on_above: 'param-go-on-above',
} as const

export const nameOf = (name: string) => (isKeyOf(NAMES, name) ? NAMES[name] : undefined)

const SPEEDS = ['speed_low', 'speed_middle', 'speed_high'] as const

export type Fault = Range | 'order'

/** By name: the range that a value is out of, or that the speeds do not rise. */
export function faultsOf(
  values: Readonly<Record<string, number | null>>,
  ranges: Readonly<Record<string, Range>>,
): Record<string, Fault> {
  const faults: Record<string, Fault> = {}
  for (const [name, range] of Object.entries(ranges)) {
    const value = values[name]
    if (value == null || value < range.min || value > range.max) faults[name] = range
  }
  for (const [i, name] of SPEEDS.entries()) {
    const [slower, faster] = [values[SPEEDS[i - 1] ?? ''], values[name]]
    if (!faults[name] && slower != null && faster != null && slower > faster) faults[name] = 'order'
  }
  return faults
}
