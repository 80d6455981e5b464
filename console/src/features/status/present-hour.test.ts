import { expect, test } from 'vitest'
import { presentHour } from './present-hour'

test('[route.index] the present column is that of the site whose day is farthest', () => {
  const now = new Date('2026-11-20T13:32:00Z')
  expect(presentHour(['Europe/Berlin', 'Asia/Shanghai', 'Europe/Paris'], now)).toBe(21)
})

test('midnight is hour 0', () => {
  expect(presentHour(['UTC'], new Date('2026-11-20T00:10:00Z'))).toBe(0)
})
