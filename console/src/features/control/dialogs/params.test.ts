import { expect, test } from 'vitest'
import { faultsOf } from './params'

const range = { min: 0.1, max: 0.5, unit: 'm/s' }
const speeds = { speed_low: range, speed_middle: { ...range, max: 0.7 }, speed_high: { ...range, max: 1 } }

test('[call.relay.common.robot_params_set] refuse a parameter beside its field when it is empty or out of range', () => {
  const good = { speed_low: 0.3, speed_middle: 0.5, speed_high: 0.8 }
  expect(faultsOf(good, speeds)).toEqual({})
  expect(faultsOf({ ...good, speed_low: 0.05 }, speeds)).toEqual({ speed_low: range })
  expect(Object.keys(faultsOf({ ...good, speed_high: null }, speeds))).toEqual(['speed_high'])
})

test('[rule.speed.low_middle] [rule.speed.middle_high] low is at most middle, and middle at most high', () => {
  const of = (speed_low: number, speed_middle: number, speed_high: number) =>
    faultsOf({ speed_low, speed_middle, speed_high }, speeds)
  expect(of(0.5, 0.4, 0.8)).toEqual({ speed_middle: 'order' })
  expect(of(0.3, 0.6, 0.5)).toEqual({ speed_high: 'order' })
  expect(of(0.4, 0.4, 0.4)).toEqual({})
})
