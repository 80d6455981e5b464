/** Each rule of a task group before anything is sent, both sides. */
import { expect, test } from 'vitest'
import { faultsOf, movedUnit, orderOf, type Values } from './groups'

const unit = (task: string, map_name = 'floor 1') => ({ name: task, map_name, task })
const GOOD: Values = { name: 'Night', type: 0, tasks: [unit('Lobby'), unit('Hall', 'floor 2')], count: 1 }
const PLACES: Readonly<Record<string, string>> = { annex: 'Annex', shed: '' }
const buildingOf = (map: string) => PLACES[map] ?? 'Hotel'
const CUSTOMER = 'Kestrel Hotels'

test.each<[string, Partial<Values>, object]>([
  ['a group has a name', { name: ' ' }, { name: 'robot:no-group-name-required' }],
  ['a group has a unit', { tasks: [] }, { tasks: 'robot:no-group-unit-required' }],
  ['a unit has a name', { tasks: [{ ...unit('Lobby'), name: ' ' }] }, { tasks: 'robot:no-unit-name-required' }],
  ['same map', { type: 2 }, { tasks: 'robot:no-group-one-map' }],
  [
    'same building',
    { type: 3, tasks: [unit('Lobby'), unit('Hall', 'annex')] },
    { tasks: 'robot:no-group-one-building' },
  ],
  ['no building', { type: 3, tasks: [unit('Lobby', 'shed')] }, { tasks: 'robot:no-group-one-building' }],
])('[rule.task_unit.name] [rule.names.other] %s', (_, wrong, fault) => {
  expect(faultsOf(GOOD, buildingOf, CUSTOMER)).toEqual({})
  expect(faultsOf({ ...GOOD, ...wrong }, buildingOf, CUSTOMER)).toEqual(fault)
})

test('tasks of one map and of one building are taken', () => {
  expect(faultsOf({ ...GOOD, type: 2, tasks: [unit('Lobby'), unit('Bar')] }, buildingOf, CUSTOMER)).toEqual({})
  expect(faultsOf({ ...GOOD, type: 3 }, buildingOf, CUSTOMER)).toEqual({})
})

test('tasks of a robot are of its customer’s project; a robot without a customer has none', () => {
  const mixed: Values = { ...GOOD, type: 1, tasks: [unit('Lobby'), unit('Hall', 'annex')] }
  expect(faultsOf(mixed, buildingOf, CUSTOMER)).toEqual({})
  expect(faultsOf(mixed, buildingOf, '')).toEqual({ tasks: 'robot:no-group-one-project' })
  expect(faultsOf(GOOD, buildingOf, '')).toEqual({})
})

test('list units in sequence, with their map where there are several', () => {
  expect(orderOf([unit('Lobby'), unit('Bar')])).toBe('Lobby → Bar')
  expect(orderOf([unit('Lobby'), unit('Bar'), unit('Hall', 'floor 2')])).toBe('floor 1: Lobby → Bar → floor 2: Hall')
})

test('a unit changes places with its neighbour, and stays at the ends', () => {
  const names = (place: number, by: 1 | -1) => movedUnit(GOOD.tasks, place, by).map((unit) => unit.task)
  expect(names(0, 1)).toEqual(['Hall', 'Lobby'])
  expect(names(1, -1)).toEqual(['Hall', 'Lobby'])
  expect([names(0, -1), names(1, 1)]).toEqual([
    ['Lobby', 'Hall'],
    ['Lobby', 'Hall'],
  ])
})
