/** One start moves alone, or its day of the week with all that are to come. */
import { expect, test } from 'vitest'
import type { Listed } from '../../schedules'
import { isBefore, momentOf, moved } from './move'

const OWN = {
  ...{ kind: 'timetask', name: 'Night', revision: 3, days: [1, 3], start_time: '22-00', forced_end: 0, end_time: '' },
  ...{ enable: 1, skips: [], charge_below: 20, map_name: 'floor', task_list: ['Lobby'], moves: [] },
} as unknown as Listed
const WEDNESDAY = { day: '2026-11-25' }
const FRIDAY = { day: '2026-11-27', time: '06:30' }
const TODAY = '2026-11-23'

test('a start that is moved alone leaves the days of its schedule as they are', () => {
  expect(moved(OWN, WEDNESDAY, FRIDAY, 'one', TODAY)).toMatchObject({
    ...{ days: [1, 3], start_time: '22-00' },
    moves: [{ day: '2026-11-25', to: '2026-11-27', start_time: '06-30' }],
  })
})

test('moved again it stands once, and back at its own time it is moved no more', () => {
  const once = { ...OWN, moves: [{ day: '2026-11-25', to: '2026-11-26', start_time: '22-00' }] }
  expect(moved(once, WEDNESDAY, FRIDAY, 'one', TODAY).moves).toEqual([
    { day: '2026-11-25', to: '2026-11-27', start_time: '06-30' },
  ])
  expect(moved(once, WEDNESDAY, { day: '2026-11-25', time: '22:00' }, 'one', TODAY).moves).toEqual([])
})

test('all to come move by day of the week and time; what is over is forgotten', () => {
  const past = { day: '2026-10-05', to: '2026-10-06', start_time: '22-00' }
  expect(moved({ ...OWN, moves: [past] }, WEDNESDAY, FRIDAY, 'all', TODAY)).toMatchObject({
    ...{ days: [1, 5], start_time: '06-30', moves: [] },
  })
  const monday = { day: '2026-11-30', time: '22:00' }
  expect(moved(OWN, WEDNESDAY, monday, 'all', TODAY).days).toEqual([1])
})

test('send no moves to a robot that does not know them', () => {
  const { moves, ...old } = OWN
  expect(moved(old as Listed, WEDNESDAY, FRIDAY, 'all', TODAY)).not.toHaveProperty('moves')
})

test('moments are those of the clock of the zone, over its change too', () => {
  expect(momentOf(Date.parse('2026-10-25T00:30:00Z'), 'Europe/Berlin')).toEqual({ day: '2026-10-25', time: '02:30' })
  expect(momentOf(Date.parse('2026-10-25T01:30:00Z'), 'Europe/Berlin')).toEqual({ day: '2026-10-25', time: '02:30' })
  expect(isBefore({ day: '2026-10-25', time: '02:30' }, { day: '2026-10-25', time: '02:31' })).toBe(true)
  expect(isBefore({ day: '2026-10-26', time: '00:00' }, { day: '2026-10-25', time: '23:00' })).toBe(false)
})
