/** Robots on the map as they are shown: a pose that glides, an age that grows. */
import { distance, type Point, type Pose } from './geometry'
import { dimmed, type Glide, glideTo, gliding, poseAt, stand } from './live'
import type { RobotLook } from './paint/robot'
import type { Mode } from './palette'

/** What is told of a robot; names as in a live row. */
export interface Robot extends Pose {
  readonly id: string | number
  readonly mode: Mode
  /** Shown under the mark of others. */
  readonly name?: string
  /** m */
  readonly uncertainty?: number
  /** Age of the pose when it came. */
  readonly ageMs?: number
  /** The robot that the page is about. */
  readonly main?: boolean
  /** Said above its mark, in the screen's language; '' nothing. */
  readonly note?: string
}

export interface ShownRobot {
  readonly robot: Robot
  readonly glide: Glide
  readonly came: number
}

export const shown = (robot: Robot, before: ShownRobot | undefined, now: number): ShownRobot => ({
  robot,
  glide: before ? glideTo(before.glide, robot, now) : stand(robot, now),
  came: now,
})

export const placeOf = ({ glide }: ShownRobot, now: number): Pose => poseAt(glide, now)

export const moves = ({ glide }: ShownRobot, now: number): boolean => gliding(glide, now)

export function lookOf({ robot, glide, came }: ShownRobot, now: number): RobotLook {
  const { mode, uncertainty = 0, main = false, ageMs = 0 } = robot
  return { mode, yaw: poseAt(glide, now).yaw, uncertainty, main, alpha: dimmed(mode, now - came + ageMs) }
}

/** The robot within reach of a point, the nearest first. */
export function robotAt(robots: Iterable<ShownRobot>, at: Point, reach: number, now: number): Robot | undefined {
  let [best, nearest]: [Robot | undefined, number] = [undefined, reach]
  for (const one of robots) {
    const away = distance(placeOf(one, now), at)
    if (away <= nearest) [best, nearest] = [one.robot, away]
  }
  return best
}
