/** Robots on the map as they are shown: a pose that glides, an age that grows. */
import type { Pose } from './geometry/geometry'
import { dimmed, type Glide, glideTo, gliding, poseAt, stand } from './live'
import type { RobotLook } from './paint/robot'
import type { Mode } from './palette'

/** What is drawn of a robot; names as in a live row. */
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

export interface RobotFrame {
  readonly robot: Robot
  readonly glide: Glide
  readonly came: number
}

export const frameOf = (robot: Robot, before: RobotFrame | undefined, now: number): RobotFrame => ({
  robot,
  glide: before ? glideTo(before.glide, robot, now) : stand(robot, now),
  came: now,
})

export const placeOf = ({ glide }: RobotFrame, now: number): Pose => poseAt(glide, now)

export const moves = ({ glide }: RobotFrame, now: number): boolean => gliding(glide, now)

export function lookOf({ robot, glide, came }: RobotFrame, now: number): RobotLook {
  const { mode, uncertainty = 0, main = false, ageMs = 0 } = robot
  return { mode, yaw: poseAt(glide, now).yaw, uncertainty, main, alpha: dimmed(mode, now - came + ageMs) }
}
