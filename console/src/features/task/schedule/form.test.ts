/** Each rule of a scheduled task before anything is sent, both sides. */
import { expect, test } from 'vitest'
import type { Listed } from '../schedules'
import { faultsOf, NEW, overMidnight, payloadOf, type Values, valuesOf } from './form'

const GOOD: Values = {
  ...{ ...NEW, name: 'Night', days: [1, 5], start: '22:30', forced: true, end: '05:00' },
  floors: [{ map_name: 'floor 1', task_list: ['Lobby', 'Bar'] }],
}

test.each([
  ['a name', { name: '  ' }, { name: 'robot:no-schedule-name-required' }],
  ['a start', { start: '' }, { start: 'robot:no-schedule-start-required' }],
  ['a day of the week', { days: [] }, { days: 'robot:no-schedule-days-required' }],
  ['an end, where it is forced', { end: '' }, { end: 'robot:no-schedule-end-required' }],
  [
    'no task twice',
    { floors: [{ map_name: 'floor 1', task_list: ['Lobby', 'Lobby'] }] },
    { floors: 'robot:no-schedule-task-twice' },
  ],
  ['a map', { floors: [{ map_name: '', task_list: [] }] }, { floors: 'robot:no-task-map-required' }],
  [
    'a schedule has a task',
    { floors: [{ map_name: 'floor 1', task_list: [] }] },
    { floors: 'robot:no-schedule-task-required' },
  ],
  ['a schedule has a floor', { floors: [] }, { floors: 'robot:no-schedule-floor-required' }],
  ['charging first is below 90 %', { chargeBelow: 91 }, { chargeBelow: 'fault-charge-below' }],
])(
  '[rule.timetask.name, rule.timetask.start, rule.timetask.repeat, rule.timetask.forced_end, rule.timetask.duplicate, rule.task.map] %s',
  (_, wrong, fault) => {
    expect(faultsOf(GOOD)).toEqual({})
    expect(faultsOf({ ...GOOD, ...wrong })).toEqual(fault)
  },
)

test('neither ask for nor show a forced end where there is none', () => {
  const values = { ...GOOD, forced: false, end: '' }
  expect(faultsOf(values)).toEqual({})
  expect(payloadOf({ ...GOOD, forced: false })).toMatchObject({ forced_end: 0, end_time: '' })
})

test('a forced end at or before the start is the next day’s', () => {
  expect(overMidnight(GOOD)).toBe(true)
  expect(overMidnight({ ...GOOD, end: '22:30' })).toBe(true)
  expect(overMidnight({ ...GOOD, end: '23:00' })).toBe(false)
})

const LISTED: Listed = {
  ...{ kind: 'timetask', name: 'Night', map_name: 'floor 1', task_list: ['Lobby', 'Bar'], start_time: '22-30' },
  ...{ days: [1, 5], enable: 1, forced_end: 1, end_time: '05-00', skips: ['2026-11-22'], charge_below: 20 },
  ...{ revision: 3, top: 0, next: 1, state: 'done', reason: '' },
}

test('[rule.timetask.mapping] the wire’s dashes are colons on the screen, and go back as dashes', () => {
  expect(valuesOf(LISTED)).toEqual(GOOD)
  const { kind, top, next, state, reason, ...wire } = LISTED
  expect(payloadOf(valuesOf(LISTED), LISTED)).toEqual(wire)
})

test('name the floors and the elevator of a task over several floors', () => {
  const floors = [
    { map_name: 'floor 1', task_list: ['Lobby'] },
    { map_name: 'floor 2', task_list: ['Hall'] },
  ]
  const payload = payloadOf({ ...GOOD, rides: true, elevator: 'KQ-A', floors })
  expect(payload).toMatchObject({ elevator_id: 'KQ-A', floors })
  expect(payload).not.toHaveProperty('map_name')
})
