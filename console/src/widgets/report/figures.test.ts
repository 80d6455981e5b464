import { expect, test } from 'vitest'
import { coverageRatio, efficiencyM2PerHour, shares } from './figures'

test('[rule.report.coverage, const.report_units] 985 is 98.5 %', () => {
  expect(coverageRatio(985)).toBe(0.985)
})

test('[rule.report.efficiency, const.report_units] 123456 is 1234.56 m²/h', () => {
  expect(efficiencyM2PerHour(123456)).toBe(1234.56)
})

test('the planned area is what was cleaned, what was missed and what cannot be reached', () => {
  expect(shares({ workArea: 624, reachableArea: 596, cleanedArea: 579 })).toEqual({
    cleaned: 579,
    missed: 17,
    unreachable: 28,
  })
})

test('counting by cells never makes a negative area', () => {
  expect(shares({ workArea: 100, reachableArea: 101, cleanedArea: 102 })).toMatchObject({ missed: 0, unreachable: 0 })
})
