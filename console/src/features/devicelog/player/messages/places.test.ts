import { expect, test } from 'vitest'
import { poseReader, poseTopics, scanIn, scanTopic } from './places'

const turned = (yaw: number) => ({ x: 0, y: 0, z: Math.sin(yaw / 2), w: Math.cos(yaw / 2) })
const pose = { position: { x: 3, y: -2, z: 0 }, orientation: turned(Math.PI / 2) }
const transform = (parent: string, child: string, x: number, yaw: number) => ({
  header: { frame_id: parent },
  child_frame_id: child,
  transform: { translation: { x, y: 0, z: 0 }, rotation: turned(yaw) },
})

test.each([
  ['geometry_msgs/PoseStamped', { pose }],
  ['geometry_msgs/msg/PoseWithCovarianceStamped', { pose: { pose } }],
  ['nav_msgs/msg/Odometry', { pose: { pose } }],
])('a pose of %s is where the robot was', (type, message) => {
  const read = poseReader(type)(message)
  expect([read?.x, read?.y]).toEqual([3, -2])
  expect(read?.yaw).toBeCloseTo(Math.PI / 2)
  expect(poseReader(type)({ pose: 7 })).toBeUndefined()
})

test('transforms say where it was once they reach from its base to the map, and never end in a ring', () => {
  const read = poseReader('tf2_msgs/msg/TFMessage')
  expect(read({ transforms: [transform('/odom', '/base_link', 2, 0)] })).toBeUndefined()
  const at = read({ transforms: [transform('map', 'odom', 1, Math.PI / 2)] })
  expect([at?.x, at?.y].map((value) => Math.round((value ?? 0) * 1e6) / 1e6)).toEqual([1, 2])
  const ring = poseReader('tf/tfMessage')
  expect(ring({ transforms: [transform('a', 'base_link', 1, 0), transform('base_link', 'a', 1, 0)] })).toBeUndefined()
})

test('the surest pose comes first, and what cannot be read is left out', () => {
  const topic = (name: string, type: string, readable = true) => ({ name, type, readable })
  const topics = [
    topic('/odom', 'nav_msgs/Odometry'),
    topic('/amcl_pose', 'geometry_msgs/msg/PoseWithCovarianceStamped'),
    topic('/dark', 'geometry_msgs/PoseStamped', false),
    topic('/scan', 'sensor_msgs/msg/LaserScan'),
  ]
  expect(poseTopics(topics).map(({ name }) => name)).toEqual(['/amcl_pose', '/odom'])
  expect(scanTopic(topics)).toBe('/scan')
})

test('of a scan only true echoes stay', () => {
  const ranges = [1, Number.POSITIVE_INFINITY, Number.NaN, 0, null, 25, -1]
  expect(scanIn({ angle_min: -1, angle_increment: 0.5, range_max: 20, ranges })).toEqual({
    ...{ first: -1, step: 0.5 },
    ranges: [1, 0, 0, 0, 0, 0, 0],
  })
  expect(scanIn({ ranges: 'no' })).toBeUndefined()
})
