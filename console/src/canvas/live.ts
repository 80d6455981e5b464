/** What comes from robots many times a second, held outside every state of the page: poses that glide between two received
 * ones and never beyond the last, scans that fade, ages. Times are ms of one clock of the page. */

import type { WireLidar } from './document/wire'
import { type Pose, turn } from './geometry/geometry'
import type { Mode } from './palette'

const GLIDE = 250 // ms, the longest way between two poses

export interface Glide {
  readonly from: Pose
  readonly to: Pose
  readonly start: number
  readonly time: number
}

export const stand = (pose: Pose, now: number): Glide => ({ from: pose, to: pose, start: now, time: 0 })

/** Where it is shown now. */
export function poseAt({ from, to, start, time }: Glide, now: number): Pose {
  const share = time <= 0 ? 1 : Math.min(Math.max((now - start) / time, 0), 1)
  if (share === 1) return to
  return {
    x: from.x + share * (to.x - from.x),
    y: from.y + share * (to.y - from.y),
    yaw: from.yaw + share * turn(from.yaw, to.yaw),
  }
}

/** A new pose has come: from where it is shown to there, in the time since the last one came. A jump of more than 3 m is
 * a relocalisation and shown as the jump that it is. */
export function glideTo(glide: Glide, to: Pose, now: number): Glide {
  const from = poseAt(glide, now)
  if (Math.hypot(to.x - from.x, to.y - from.y) > 3) return stand(to, now)
  return { from, to, start: now, time: Math.min(now - glide.start, GLIDE) }
}

export const gliding = (glide: Glide, now: number) => now - glide.start < glide.time

const WORKS: ReadonlySet<Mode> = new Set(['cleaning', 'moving', 'riding', 'manual'])

/** Opacity of a robot by the age of its pose (LOOK 7). */
export function dimmed(mode: Mode, ageMs: number): number {
  if (mode === 'offline') return 1 // its mark says it
  return ageMs > (WORKS.has(mode) ? 3000 : 10_000) ? 0.55 : 1
}

const FADES_AFTER = 1000
const FADE = 1000

/** Opacity of a scan by its age. */
export const fading = (ageMs: number) => Math.min(Math.max(1 - (ageMs - FADES_AFTER) / FADE, 0), 1)

/** Echoes as flat list x0, y0, x1, y1 … in the map. */
export function echoes({ x, y, yaw, first, step, ranges }: WireLidar): Float32Array {
  const points = new Float32Array(ranges.length * 2)
  let used = 0
  for (const [i, range] of ranges.entries()) {
    if (!(range > 0)) continue
    const angle = yaw + first + i * step
    points[used++] = x + range * Math.cos(angle)
    points[used++] = y + range * Math.sin(angle)
  }
  return points.subarray(0, used)
}
