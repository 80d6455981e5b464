import { expect, test } from 'vitest'
import { narrowed, payloadOf, readFilters, writeFilters } from './filters'

test('[route.device.report] filters survive the way through the URL', () => {
  const query = 'text=Lobby&deviceId=7&userId=3&from=2026-11-01&to=2026-11-20&end=failed&page=3'
  expect(writeFilters(readFilters(new URLSearchParams(query))).toString()).toBe(query)
})

test('[call.taskReport.list] the call gets what is asked for and nothing else', () => {
  const filters = readFilters(new URLSearchParams('deviceId=7&from=2026-11-01&end=failed'))
  expect(payloadOf(filters)).toEqual({ deviceIds: [7], startDate: '2026-11-01', end: 'failed' })
})

test.each(['from=2026-02-30', 'to=yesterday', 'end=lost', 'deviceId=0', 'page=-2'])('%s is passed over', (query) => {
  const filters = readFilters(new URLSearchParams(query))
  expect(narrowed(filters)).toBe(false)
  expect(filters.page).toBe(1)
})
