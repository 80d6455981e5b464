import { expect, test } from 'vitest'
import { faultKey } from './cause'

test.each([
  ['[err.robot.0x0205] path replanning failed', '0x0205', 'alarm-0205'],
  ['[err.robot.0x0610] docking failed three times', '0x0610', 'alarm-0610'],
  ['[err.robot_msg.odometer] a message without a code', 'odometer', 'alarm-odometer'],
  ['[err.robot_msg.dynamic_point_to_point_path_request_failed] no way', 'p2p_path', 'alarm-p2p-path'],
  ['[err.robot_msg.elevator_control_task_failed] the lift', 'elevator_task', 'alarm-elevator-task'],
  ['[err.robot_msg.map_elements_beyond_the_map_border] beyond', 'map_beyond_border', 'alarm-beyond-border'],
  ['[err.robot_msg.robot_is_building_a_map] building', 'map_building', 'alarm-building-map'],
  ['a message of our own', 'stuck', 'fault-stuck'],
])('%s has its words', (_, help, key) => {
  expect(faultKey(help)).toBe(key)
})

test('a code that no catalogue has keeps its own name', () => {
  expect(faultKey('0x9999')).toBeUndefined()
})
