import { expect, test } from 'vitest'
import { holder } from '@/widgets/robot/holder'
import { share } from './lock'

const mira = { owner: 'Mira', ownerId: 7, until: 2000, number: 4, reason: '', asker: '', askerId: 0, askedAt: 0 }

test('[state.control_request.granted] [state.control_request.none] use the newer of the answer and the push', () => {
  const free = { ...mira, owner: '', ownerId: null, until: 0, number: 5 }
  expect(holder(mira, free, 1000)).toBeUndefined()
  expect(holder({ ...mira, number: 6 }, free, 1000)?.owner).toBe('Mira')
  expect(holder(undefined, mira, 1000)?.owner).toBe('Mira')
})

test('show a new asker of control under the same number', () => {
  expect(holder(mira, { ...mira, asker: 'Jo', askerId: 8, askedAt: 900 }, 1000)?.asker).toBe('Jo')
})

test('[state.control_request.expired] a lock whose time is over is free', () => {
  expect(holder(mira, undefined, 2000)).toBeUndefined()
})

test.each([
  [10, 1],
  [5, 0.5],
  [20, 2 / 3],
  [90, 0.75],
  [24 * 60 * 365, undefined],
])('%s minutes left are a share of the shortest duration that holds them', (minutes, left) => {
  expect(share(minutes * 60_000)).toBe(left)
})
