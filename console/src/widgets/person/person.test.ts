import { expect, test } from 'vitest'
import { rolesOf, ruleOf } from './person'

test.each([
  ['[rule.user.login_name]', 'account', 'Robot01', 'robot_01'],
  ['[rule.user.login_name] empty', 'account', 'a', ''],
  ['[rule.user.name]', 'name', 'Ann', '  '],
  ['[rule.user.phone]', 'phone', '13800138000', '1380013800'],
  ['[rule.user.phone] of another country', 'phone', '+493012345678', '+0493012345678'],
  ['[rule.user.phone] empty', 'phone', '', '1380013800x'],
  ['[rule.user.email]', 'email', 'a@b.com, c@d.org', 'a@b.museumx'],
  ['[rule.user.email_empty]', 'email', '', ','],
] as const)('%s: %s may be %j, not %j', (_, field, good, bad) => {
  expect(ruleOf(field)(good, {})).toBeUndefined()
  expect(ruleOf(field)(bad, {})).toMatch(/^people:fault-/)
})

test('roles come out of their JSON; what is none is none', () => {
  expect(rolesOf({ role: '[11, 16]' })).toEqual([11, 16])
  expect(rolesOf({ role: '' })).toEqual([])
})
