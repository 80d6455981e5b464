/** Where a robot was and what its lidar saw, from the messages that ROS has for it. Yaw is the heading seen from above. */
import { isList } from './fields'

interface Pose {
  readonly x: number
  readonly y: number
  readonly yaw: number
}

/** Ray i goes to the robot's yaw + `first` + i * `step`; a range of 0 is no echo. */
export interface Scan {
  readonly first: number
  readonly step: number
  readonly ranges: readonly number[]
}

type Message = Readonly<Record<string, unknown>>
type ReadPose = (message: unknown) => Pose | undefined

const ROOT = 'map'
const BASES = ['base_link', 'base_footprint']
const LONGEST_CHAIN = 20
const SCAN = 'sensor_msgs/LaserScan'

/** ROS 2 says `nav_msgs/msg/Odometry`. */
const plain = (type: string) => type.replace('/msg/', '/')
const part = (message: unknown, name: string): unknown => (message as Message | undefined | null)?.[name]
const numberOf = (message: unknown, name: string, usual = 0) => {
  const value = part(message, name)
  return typeof value === 'number' && Number.isFinite(value) ? value : usual
}

function yawOf(rotation: unknown): number {
  const [x, y, z, w] = ['x', 'y', 'z'].map((name) => numberOf(rotation, name)).concat(numberOf(rotation, 'w', 1))
  const [a, b, c, d] = [x ?? 0, y ?? 0, z ?? 0, w ?? 1]
  return Math.atan2(2 * (d * c + a * b), 1 - 2 * (b * b + c * c))
}

function poseOf(place: unknown, rotation: unknown): Pose | undefined {
  if (typeof part(place, 'x') !== 'number') return undefined
  return { x: numberOf(place, 'x'), y: numberOf(place, 'y'), yaw: yawOf(rotation) }
}

const ofPose = (pose: unknown) => poseOf(part(pose, 'position'), part(pose, 'orientation'))

/** A pose that is said within another one, in that one's frame. */
const within = (outer: Pose, { x, y, yaw }: Pose): Pose => ({
  x: outer.x + x * Math.cos(outer.yaw) - y * Math.sin(outer.yaw),
  y: outer.y + x * Math.sin(outer.yaw) + y * Math.cos(outer.yaw),
  yaw: outer.yaw + yaw,
})

/** Transforms come one by one: from the robot's base up to the map, once all of the chain is known. */
function transforms(): ReadPose {
  const known = new Map<string, { parent: string; pose: Pose }>()
  const name = (value: unknown) => String(value).replace(/^\//, '')
  const take = (message: unknown) => {
    const list = part(message, 'transforms')
    for (const each of Array.isArray(list) ? list : []) {
      const pose = poseOf(part(part(each, 'transform'), 'translation'), part(part(each, 'transform'), 'rotation'))
      const parent = name(part(part(each, 'header'), 'frame_id'))
      if (pose) known.set(name(part(each, 'child_frame_id')), { parent, pose })
    }
  }
  const chain = (base: string): Pose | undefined => {
    let frame = base
    let pose: Pose = { x: 0, y: 0, yaw: 0 }
    for (let steps = 0; frame !== ROOT && steps < LONGEST_CHAIN; steps += 1) {
      const next = known.get(frame)
      if (!next) return undefined
      pose = within(next.pose, pose)
      frame = next.parent
    }
    return frame === ROOT ? pose : undefined
  }
  return (message) => {
    take(message)
    return BASES.map(chain).find(Boolean)
  }
}

/** The surest first. */
const READERS: Record<string, () => ReadPose> = {
  'geometry_msgs/PoseWithCovarianceStamped': () => (message) => ofPose(part(part(message, 'pose'), 'pose')),
  'geometry_msgs/PoseStamped': () => (message) => ofPose(part(message, 'pose')),
  'tf2_msgs/TFMessage': transforms,
  'tf/tfMessage': transforms,
  'nav_msgs/Odometry': () => (message) => ofPose(part(part(message, 'pose'), 'pose')),
}
const SUREST = Object.keys(READERS)

interface Topic {
  readonly name: string
  readonly type: string
  readonly readable: boolean
}

/** Topics that say where the robot was, the surest first. */
export const poseTopics = (topics: readonly Topic[]) =>
  topics
    .filter(({ readable, type }) => readable && plain(type) in READERS)
    .toSorted((a, b) => SUREST.indexOf(plain(a.type)) - SUREST.indexOf(plain(b.type)))

export const scanTopic = (topics: readonly Topic[]) =>
  topics.find(({ readable, type }) => readable && plain(type) === SCAN)?.name

export function poseReader(type: string): ReadPose {
  const make = READERS[plain(type)]
  if (!make) throw new TypeError(type)
  return make()
}

/** undefined: it is no scan. */
export function scanIn(message: unknown): Scan | undefined {
  const ranges = part(message, 'ranges')
  if (!isList(ranges)) return undefined
  const farthest = numberOf(message, 'range_max', Number.POSITIVE_INFINITY)
  const list = Array.from(ranges, (range) => {
    const far = Number(range ?? 0) // JSON has no word for infinity, and writes null
    return far > 0 && far < farthest ? far : 0
  })
  return { first: numberOf(message, 'angle_min'), step: numberOf(message, 'angle_increment'), ranges: list }
}
