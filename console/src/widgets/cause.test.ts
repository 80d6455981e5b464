import { expect, test } from 'vitest'
import { faultKey } from './cause'

test.each([
  ['[err.robot.0x0205] path replanning failed', '0x0205', 'alarm-0205'],
  ['[err.robot.0x0610] docking failed three times', '0x0610', 'alarm-0610'],
  ['[err.robot_msg.odometer] a message without a code', 'odometer', 'alarm-odometer'],
  ['a message of our own', 'stuck', 'fault-stuck'],
])('%s has its words', (_, help, key) => {
  expect(faultKey(help)).toBe(key)
})

test('a code that no catalogue has keeps its own name', () => {
  expect(faultKey('0x9999')).toBeUndefined()
})
