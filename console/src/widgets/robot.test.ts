import { expect, test } from 'vitest'
import type { LiveRow } from '@/shared/live/frames'
import type { Seen } from '@/shared/live/store'
import { asListed, type Listed, shownKey } from './robot'

const row = {
  id: 1,
  mode: 'cleaning',
  help: '',
  x: 1,
  battery: 61.8,
  progress: 0.5,
  cleaned: 40,
  remainingS: 90,
  ageMs: 0,
}
const store = (change: Partial<LiveRow> = {}) => ({
  robot: () => ({ row: { ...row, ...change }, receivedAt: 1000 }) as Seen,
  connection: () => ({ state: 'live' as const, lastFrameAt: 0, offlineAfterMs: 15_000 }),
})
const key = (change: Partial<LiveRow> = {}, now = 1000) => shownKey(store(change), 1, now)

test('a pose alone draws no card anew', () => {
  expect(key({ x: 2, y: 7, yaw: 1, battery: 61.9 })).toBe(key())
})

test.each<Partial<LiveRow>>([
  { mode: 'paused' },
  { help: 'stuck' },
  { battery: 58 },
  { progress: 0.51 },
  { taskName: 'B' },
])('what a card shows draws it anew: %o', (change) => {
  expect(key(change)).not.toBe(key())
})

test('[state.device_online] a robot at work that falls silent shows its age after 3 s', () => {
  expect(key({}, 3900)).toBe(key())
  expect(key({}, 4100)).not.toBe(key())
})

test('[state.device_online.offline] the list says times as text, the socket as ms: one form reaches the screen', () => {
  const listed = { offlineSince: '2026-11-21T14:21:00Z', heartbeatTime: '2026-11-21T14:20:45Z' } as Listed
  expect(asListed(listed)).toMatchObject({
    offlineSince: Date.UTC(2026, 10, 21, 14, 21),
    heartbeatTime: Date.UTC(2026, 10, 21, 14, 20, 45),
  })
})
