import { expect, test } from 'vitest'
import { FILTERS } from './filters'

test('[route.device.report] filters survive the way through the URL', () => {
  const query = 'text=Lobby&deviceId=7&userId=3&from=2026-11-01&to=2026-11-20&end=failed'
  expect(FILTERS.write(FILTERS.read(new URLSearchParams(query))).toString()).toBe(query)
})

test('[call.taskReport.list] the call gets what is asked for and nothing else', () => {
  const values = FILTERS.read(new URLSearchParams('deviceId=7&from=2026-11-01&end=failed'))
  expect(FILTERS.payload(values)).toEqual({ deviceIds: [7], startDate: '2026-11-01', end: 'failed' })
})

test.each(['from=2026-02-30', 'to=yesterday', 'end=lost', 'deviceId=0'])('%s is passed over', (query) => {
  expect(FILTERS.narrowed(FILTERS.read(new URLSearchParams(query)))).toBe(false)
})
