import { expect, test } from 'vitest'
import { offset, plusDays, wall, weekday, weekOf } from './days'

test('a week begins on Monday, also around the new year', () => {
  expect(weekOf('2026-11-22')).toEqual([16, 17, 18, 19, 20, 21, 22].map((day) => `2026-11-${day}`))
  expect(weekOf('2027-01-01')[0]).toBe('2026-12-28')
  expect(['2026-11-16', '2026-11-22'].map(weekday)).toEqual([1, 7])
  expect(plusDays('2026-02-28', 1)).toBe('2026-03-01')
})

test.each([
  ['Europe/Berlin', '2026-03-29T00:59:00Z', '2026-03-29', 119, 'UTC+1'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29', 180, 'UTC+2'],
  ['America/St_Johns', '2026-01-01T02:00:00Z', '2025-12-31', 22 * 60 + 30, 'UTC−3:30'],
  ['Asia/Shanghai', '2026-11-22T16:00:00Z', '2026-11-23', 0, 'UTC+8'],
])('the wall clock of %s at %s', (zone, at, day, minutes, apart) => {
  expect(wall(Date.parse(at), zone)).toEqual({ day, minutes })
  expect(offset(Date.parse(at), zone)).toBe(apart)
})

test('a week begins with the day that the language has it begin with', () => {
  expect(weekOf('2026-11-18')[0]).toBe('2026-11-16')
  expect(weekOf('2026-11-18', 7)[0]).toBe('2026-11-15')
  expect(weekOf('2026-11-15', 7)[0]).toBe('2026-11-15')
})
