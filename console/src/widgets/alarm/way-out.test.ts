import { expect, test } from 'vitest'
import { wayOut } from './way-out'

const CODES = ['0205', '0470', '0471', '0472', '0473', '0534', '0535', '0536', '0610', '0612', '0614', '0616']
const NAMES = ['stuck', 'lost', 'serial_error', 'odometer', 'imu', 'lidar', 'depth_camera', 'path_error', 'door_stuck']

test.each([...CODES.map((code) => `0x${code}`), ...NAMES, 'path_not_solved', 'map_load_failed', 'network_abnormal'])(
  'of %s the page says the way out',
  (help) => {
    expect(wayOut(help)).toMatch(/^help-/)
  },
)

test('of a code that no catalogue knows it says nothing that may be wrong', () => {
  expect([wayOut('0x9999'), wayOut('')]).toEqual([undefined, undefined])
})
