import { expect, test } from 'vitest'
import { gather, momentAt, type Track, wayUntil } from './track'

const TRACK: Track = {
  ...{ time: [0, 1000, 2000, 100_000], x: [0, 2, 2, 8], y: [0, 0, 4, 4], yaw: [3, -3, -3, 0] },
  ...{ battery: [90, 88, 88, 80], liquid: [50, 50, 50, 50], marks: [] },
  modes: [
    { time: 0, mode: 'cleaning' },
    { time: 1500, mode: 'paused' },
  ],
}

test('between two points the robot drove straight, and turned the nearer way round', () => {
  const half = momentAt(TRACK, 500)
  expect(half).toMatchObject({ x: 1, y: 0, battery: 89, count: 1 })
  expect(Math.abs(half?.yaw ?? 0)).toBeCloseTo(Math.PI, 1)
})

test('while it was silent it stays where it was known, and beyond the ends it stands at them', () => {
  expect(momentAt(TRACK, 60_000)).toMatchObject({ x: 2, y: 4, count: 3 })
  expect(momentAt(TRACK, -5)).toMatchObject({ x: 0, y: 0, count: 1 })
  expect(momentAt(TRACK, 999_999)).toMatchObject({ x: 8, y: 4, count: 4 })
})

test('the way ends where the robot is', () => {
  const at = momentAt(TRACK, 1500)
  expect(at && wayUntil(TRACK, at)).toEqual([0, 0, 2, 0, 2, 2])
})

test('speed is by the next point, and the mode is the last one before', () => {
  expect(momentAt(TRACK, 500)).toMatchObject({ speed: 2, mode: 'cleaning' })
  expect(momentAt(TRACK, 1500)).toMatchObject({ speed: 4, mode: 'paused' })
  expect(momentAt(TRACK, 60_000)?.speed).toBeUndefined()
  expect(momentAt({ ...TRACK, modes: [] }, 500)?.mode).toBeUndefined()
})

test('a run without history has no place', () => {
  expect(momentAt({ ...TRACK, time: [], x: [], y: [] }, 0)).toBeUndefined()
})

test('marks that would lie on one another are one', () => {
  const place = (n: number) => n
  expect(gather([0, 0.01, 0.029, 0.03, 0.5, 0.52], place, 0.03)).toEqual([[0, 0.01, 0.029], [0.03], [0.5, 0.52]])
  expect(gather([0.1, 0.1], place, 0)).toEqual([[0.1], [0.1]])
})
