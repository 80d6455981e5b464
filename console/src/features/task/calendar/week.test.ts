/** What the calendar makes of occurrences. */
import { expect, test } from 'vitest'
import { cells, coverageOf, lookOf, type Occurrence, type OtherRun, sums, tonesOf } from './week'

const occurrence = (change: Partial<Occurrence> = {}): Occurrence => ({
  ...{ deviceId: 1, deviceCode: 'L1-A', building: 'Hotel', kind: 'timetask', schedule: 'Night' },
  ...{ day: '2026-11-22', start: '2026-11-22T23:30:00Z', end: null, zone: 'Europe/Berlin', state: 'planned' },
  ...{ reason: '', seconds: 600, conflict: '', units: [] },
  ...change,
})
const unit = (mapName: string, coverage: number | null = null) => ({
  ...{ mapName, task: 'Lobby', run: '', reason: '', taskReportId: null },
  coverage,
})

test('an occurrence stands in the day that the clock of the calendar shows', () => {
  expect([...cells([occurrence()], 'Europe/Berlin').keys()]).toEqual(['1/2026-11-23'])
  expect([...cells([occurrence()], 'Europe/London').keys()]).toEqual(['1/2026-11-22'])
})

test('a conflict stands out before all else; what runs on a halted robot is stopped', () => {
  expect(lookOf(occurrence({ conflict: 'overlap' }), false)).toBe('conflict')
  expect(lookOf(occurrence({ state: 'running' }), false)).toBe('running')
  expect(lookOf(occurrence({ state: 'running' }), true)).toBe('stopped')
  expect(lookOf(occurrence({ state: 'done' }), true)).toBe('past')
})

test('coverage is that of the units that have reported', () => {
  expect(coverageOf(occurrence())).toBeUndefined()
  expect(coverageOf(occurrence({ units: [unit('a', 0.9), unit('a', 1), unit('a')] }))).toBeCloseTo(0.95)
})

test('count no missed or skipped occurrence as a run, and name a common reason', () => {
  const list = [
    occurrence(),
    occurrence({ state: 'skipped' }),
    occurrence({ state: 'missed', reason: 'robot_off' }),
    occurrence({ state: 'missed', reason: 'robot_off' }),
    occurrence({ conflict: 'lift' }),
    occurrence({ state: 'running', deviceId: 2 }),
  ]
  const runs = [{ start: '2026-11-22T09:00:00Z', end: '2026-11-22T09:10:00Z' }] as OtherRun[]
  const totals = sums(list, runs, (id) => id === 2)
  expect(totals).toMatchObject({ notes: { conflict: 1, missed: 2, stopped: 1 }, why: 'robot_off' })
  expect(totals.past + totals.coming).toBe(4)
  expect(totals.seconds).toBe(2400)
  expect(sums([...list, occurrence({ state: 'missed', reason: 'robot_busy' })], [], () => false).why).toBeUndefined()
})

test('each map has its colour; beyond four they share one', () => {
  const maps = ['e', 'd', 'c', 'b', 'a'].map((name) => occurrence({ units: [unit(name)] }))
  expect([...tonesOf(maps).values()]).toEqual(['cleaning', 'moving', 'charging', 'manual', 'idle'])
})
