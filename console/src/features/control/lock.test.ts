import { expect, test } from 'vitest'
import { holder } from './lock'

const mira = { owner: 'Mira', ownerId: 7, until: 2000, number: 4 }

test('[state.control_request.granted] [state.control_request.none] the newer of what was asked and what the socket told counts', () => {
  const free = { owner: '', ownerId: null, until: 0, number: 5 }
  expect(holder(mira, free, 1000)).toBeUndefined()
  expect(holder({ ...mira, number: 6 }, free, 1000)?.owner).toBe('Mira')
  expect(holder(undefined, mira, 1000)?.owner).toBe('Mira')
})

test('[const.control_request_durations] a lock whose time is over is free', () => {
  expect(holder(mira, undefined, 2000)).toBeUndefined()
})
