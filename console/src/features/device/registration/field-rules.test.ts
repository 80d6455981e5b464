import { expect, test } from 'vitest'
import { required } from '@/widgets/form/rules'
import { RULES } from './field-rules'
import { DEVICE_FIELDS } from './fields'

const fault = (name: keyof typeof RULES, value: string | number | null, all = {}) => RULES[name](value, all)

test('[rule.port.range] a port is from 20000 to 30000, both ends included', () => {
  expect([20_000, 30_000, null].map((port) => fault('port', port))).toEqual([undefined, undefined, undefined])
  expect([19_999, 30_001, 0].map((port) => fault('port', port))).toEqual(Array(3).fill('fault-port'))
})

test('[rule.port.first] other ports come after the FRP port', () => {
  expect(fault('laterPort', 20_500, { frpPort: null })).toBe('fault-port-first')
  expect(fault('laterPort', 20_500, { frpPort: 20_100 })).toBeUndefined()
  expect(fault('laterPort', null, { frpPort: null })).toBeUndefined()
})

test('[rule.device.name] [rule.device.type] a name and a type are required', () => {
  expect([' ', '', null].map((value) => required(value, {}))).toEqual(Array(3).fill('required-field'))
  expect([required('Robot 7', {}), required(3, {})]).toEqual([undefined, undefined])
  const names = DEVICE_FIELDS.flatMap(({ name, rule }) => (rule === required ? [name] : []))
  expect(names).toEqual(['deviceCode', 'deviceType'])
})

test('[ent.device] serial, rack and SIM numbers and coordinates keep their form', () => {
  expect([
    fault('serial', 'SC0001'),
    fault('serial', 'SC-1_b.2') ?? fault('serial', 'SC1-'),
    fault('serial', ''),
  ]).toEqual([undefined, 'fault-serial', 'required-field'])
  expect([fault('rack', 'SC0001'), fault('rack', ''), fault('rack', '0001')]).toEqual([
    undefined,
    undefined,
    'fault-rack',
  ])
  expect([fault('sim', '1234567890'), fault('sim', '123456789')]).toEqual([undefined, 'fault-sim'])
  expect([fault('latitude', -90), fault('latitude', 90.1), fault('longitude', -180.1)]).toEqual([
    undefined,
    'fault-latitude',
    'fault-longitude',
  ])
})
