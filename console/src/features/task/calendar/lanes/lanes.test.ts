/** The lanes of one day. */
import { expect, test } from 'vitest'
import type { Calendar, Occurrence } from '../week'
import { at, labelOf, lanesOf, type Ride, ticks, usualDay } from './lanes'

const ZONE = 'Europe/London'
const occurrence = (deviceId: number, start: string, change: Partial<Occurrence> = {}): Occurrence => ({
  ...{ deviceId, deviceCode: `R${deviceId}`, building: 'Hotel', kind: 'elevator_timetask', schedule: 'Night' },
  ...{ day: '2026-11-22', start, end: null, zone: ZONE, state: 'planned', reason: '', seconds: 1800, conflict: '' },
  units: [],
  ...change,
})
const ride = (deviceId: number, start: string, until: string, change: Partial<Ride> = {}): Ride => ({
  ...{ deviceId, deviceCode: `R${deviceId}`, kind: 'elevator_timetask', schedule: 'Night', occurrence: start },
  ...{ elevatorName: 'Lift 2', start, until, wait: 0, otherId: null, otherCode: '', moveTo: '' },
  ...change,
})
const TEN = '2026-11-22T22:10:00Z'
const TWELVE = '2026-11-22T22:12:00Z'
const late = ride(2, TWELVE, '2026-11-22T22:16:00Z', { wait: 60, otherId: 1, otherCode: 'R1', moveTo: '22-20' })
const CALENDAR: Calendar = {
  runs: [],
  robots: [1, 2, 3].map((deviceId) => ({
    ...{ deviceId, deviceCode: `R${deviceId}`, typeName: '', building: 'Hotel', zone: ZONE },
    ...{ protocolVersion: 3, commands: null },
  })),
  list: [
    occurrence(1, TEN, { conflict: 'lift' }),
    occurrence(2, TWELVE, { conflict: 'lift' }),
    occurrence(3, TEN, { state: 'skipped' }),
  ],
  rides: [ride(1, TEN, '2026-11-22T22:13:00Z'), late],
}

test('robots that do something that day and the elevators they ride have lanes', () => {
  const { lanes, clashes } = lanesOf(CALENDAR, '2026-11-22', ZONE, new Map())
  expect(lanes.map((lane) => lane.name)).toEqual(['R1', 'R2', 'Lift 2'])
  expect(lanes[2]?.spans.map((span) => span.clash)).toEqual([true, true])
  expect(clashes).toEqual([late])
  expect(lanesOf(CALENDAR, '2026-11-21', ZONE, new Map()).lanes).toEqual([])
})

test('end an activity with its work, its last ride or its forced end', () => {
  const until = (list: Occurrence[], rides: Ride[] = []) =>
    lanesOf({ ...CALENDAR, list, rides }, '2026-11-22', ZONE, new Map()).lanes[0]?.spans[0]?.until
  expect(until([occurrence(1, TEN)])).toBe(Date.parse(TEN) + 1800_000)
  expect(until([occurrence(1, TEN)], [ride(1, TEN, '2026-11-22T23:00:00Z')])).toBe(Date.parse('2026-11-22T23:00:00Z'))
  expect(until([occurrence(1, TEN, { end: TWELVE })])).toBe(Date.parse(TWELVE))
})

test('show past runs as they went, and overlapping ones in rows with room for each', () => {
  const list = [
    occurrence(1, TEN, { state: 'done' }),
    occurrence(1, TWELVE, { state: 'missed' }),
    occurrence(1, '2026-11-22T23:00:00Z'),
  ]
  const [lane] = lanesOf({ ...CALENDAR, list, rides: [] }, '2026-11-22', ZONE, new Map()).lanes
  expect(lane?.rows).toBe(2)
  expect(lane?.spans.map(({ look, row }) => [look, row])).toEqual([
    ['past', 0],
    ['missed', 1],
    ['coming', 0],
  ])
  expect(lane?.spans.map(({ room }) => room)).toEqual([
    [-Infinity, Date.parse('2026-11-22T23:00:00Z')],
    [-Infinity, Infinity],
    [Date.parse(TEN) + 1800_000, Infinity],
  ])
})

test('a long span has its name inside, a short one beside it where there is more room', () => {
  expect(labelOf([10, 40], [0, 100])).toEqual({ side: 'inside', room: 1 })
  expect(labelOf([10, 12], [0, 100])).toEqual({ side: 'behind', room: 44 })
  expect(labelOf([10, 12], [0, 16])).toEqual({ side: 'before', room: 5 })
  expect(labelOf([98, 100], [50, 100])).toEqual({ side: 'before', room: 24 })
})

test('the day with a clash is shown first, else today', () => {
  const days = ['2026-11-20', '2026-11-21', '2026-11-22']
  expect(usualDay(CALENDAR.rides, days, '2026-11-21', ZONE)).toBe('2026-11-22')
  expect(usualDay([], days, '2026-11-21', ZONE)).toBe('2026-11-21')
  expect(usualDay([], days, '2026-11-30', ZONE)).toBe('2026-11-20')
})

test('the axis is in full hours with few enough marks, and nothing stands beyond it', () => {
  const { from, until } = lanesOf(CALENDAR, '2026-11-22', ZONE, new Map())
  expect([from, until].map((ms) => new Date(ms).toISOString())).toEqual([
    '2026-11-22T22:00:00.000Z',
    '2026-11-22T23:00:00.000Z',
  ])
  expect(ticks(from, until)).toHaveLength(3)
  expect(ticks(0, 24 * 3600_000).length).toBeLessThanOrEqual(10)
  expect([at(from, from, until), at(until, from, until), at(from - 1, from, until)]).toEqual([0, 100, 0])
})
