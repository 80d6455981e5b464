import { expect, test } from 'vitest'
import { asUtilities, levelPayload } from './utilities'

test('[call.relay.common.utils_ctrl] [call.relay.v3.utils_ctrl] below protocol 3 the level is called val, from it on value', () => {
  expect(levelPayload(2, 'fan', 3)).toEqual({ id: 'fan', val: 3 })
  expect(levelPayload(3, 'fan', 3)).toEqual({ id: 'fan', value: 3 })
})

test('[call.relay.common.utils_state] [call.relay.v3.utils_list] both generations are one list', () => {
  expect(
    asUtilities([
      { id: 'fan', val: 2 },
      { id: 'light', val: 1 },
    ]),
  ).toEqual([
    { id: 'fan', name: 'fan', value: 2, max: 3 },
    { id: 'light', name: 'light', value: 1, max: 1 },
  ])
  expect(asUtilities([{ id: 'volume', name: 'Voice volume', value: 5, max: 10 }])).toEqual([
    { id: 'volume', name: 'Voice volume', value: 5, max: 10 },
  ])
})
