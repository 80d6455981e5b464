/**
 * A robot's row without what changes with each frame: place, speed and clock are drawn by what listens to them alone.
 * Numbers are as exact as screens write them, so that a row is another one only when something on a screen is. Every
 * other field of the row takes part; one that does not cannot be shown, for the type does not have it.
 */
import type { LiveRow } from './frames'

export type SteadyRow = Omit<LiveRow, 'id' | 'at' | 'ageMs' | 'x' | 'y' | 'yaw' | 'speed' | 'uncertainty'>

const MINUTE_MS = 60_000
const STEP_S = 10

export function steady(live: LiveRow): SteadyRow {
  const { id, at, ageMs, x, y, yaw, speed, uncertainty, ...row } = live
  return {
    ...row,
    battery: Math.round(row.battery),
    liquid: row.liquid === null ? null : Math.round(row.liquid),
    mapped: Math.round(row.mapped),
    progress: Math.round(row.progress * 100) / 100,
    cleaned: Math.round(row.cleaned),
    planned: Math.round(row.planned),
    remainingS: Math.ceil(row.remainingS / STEP_S) * STEP_S,
    clockOff: Math.round(row.clockOff / MINUTE_MS) * MINUTE_MS || Math.sign(row.clockOff) * MINUTE_MS,
  }
}

/** Metres or metres per second as they are written: two digits. */
export const hundredths = (value: number) => Math.round(value * 100) / 100
