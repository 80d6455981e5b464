import { expect, test } from 'vitest'
import { allToggled, brought, pageOf, toggled, tree } from './ticks'

const held = new Set(['index', 'device/index', 'user/index', 'user/index/add', 'user/index/edit'])
const sorted = (keys: Set<string>) => [...keys].sort()

test.each([
  ['user/index/add', 'user/index'],
  ['device/warn/delete', 'device/warn'],
  ['version/index/whole_version/publish', 'version/index/whole_version'],
  ['index/clear_token', 'index'],
])('%s is a button of %s', (button, page) => expect(pageOf(button)).toBe(page))

test('a button is ticked with its page, and goes with it', () => {
  const on = toggled(new Set(), 'user/index/add', true, held)
  expect(sorted(on)).toEqual(['user/index', 'user/index/add'])
  expect(sorted(toggled(on, 'user/index', false, held))).toEqual([])
})

test('neither tick nor take away what the granter lacks', () => {
  expect(sorted(toggled(new Set(), 'device/log', true, held))).toEqual([])
  expect(sorted(toggled(new Set(['device/log']), 'device/log', false, held))).toEqual(['device/log'])
  expect(sorted(allToggled(new Set(['device/log']), false, held))).toEqual(['device/log'])
  expect(allToggled(new Set(), true, held)).toEqual(held)
})

test('a page that is not shown still heads its buttons', () => {
  expect(tree(new Set(['user/index/add']))).toEqual([{ page: 'user/index', buttons: ['user/index/add'] }])
})

test('roles bring their keys, groups theirs and those of their roles', () => {
  const roles = [
    { id: 11, pageKeys: ['index'], buttonKeys: [] },
    { id: 16, pageKeys: ['user/index'], buttonKeys: ['user/index/add'] },
  ]
  const groups = [{ id: 1, roleIds: [16], permissionKeys: ['log'] }]
  const of = (role: number[], group: number[]) =>
    sorted(brought(roles, groups, { roles: new Set(role), groups: new Set(group) }))
  expect(of([11], [])).toEqual(['index'])
  expect(of([11], [1])).toEqual(['index', 'log', 'user/index', 'user/index/add'])
})
