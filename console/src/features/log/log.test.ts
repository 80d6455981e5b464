import { expect, test } from 'vitest'
import { changesOf, requestOf, summary } from './changes'
import { NO_FILTER, narrowed, payloadOf, readFilters, writeFilters } from './filters'

test('a row tells what changed field by field, and what else was asked', () => {
  const row = { detail: { targetUserId: 3, name: 'New' }, before: { name: 'Old' }, after: { name: 'New' } }
  expect(changesOf(row)).toEqual([{ field: 'name', before: 'Old', after: 'New' }])
  expect(requestOf(row)).toEqual([['targetUserId', '3']])
  expect(summary(row)).toBe('targetUserId 3 · name New')
})

test('a side that is missing is empty, and what has no fields is one change', () => {
  expect(changesOf({ before: { ids: [1] }, after: null })).toEqual([{ field: 'ids', before: '[1]', after: '' }])
  expect(changesOf({ before: [1], after: [1, 2] })).toEqual([{ field: '', before: '[1]', after: '[1,2]' }])
  expect(changesOf({ before: null, after: null })).toEqual([])
})

test('[route.log] the filter lives in the URL; days are whole ones of the viewer', () => {
  const filters = { ...NO_FILTER, words: 'a b', user: 3, device: 5, action: 'login', refused: true, page: 2 }
  expect(readFilters(writeFilters(filters))).toEqual(filters)
  expect(narrowed({ ...NO_FILTER, page: 3 })).toBe(false)
  const { startTime, endTime } = payloadOf({ ...NO_FILTER, from: '2026-03-05', to: '2026-03-05' })
  expect(Date.parse(endTime ?? '') - Date.parse(startTime ?? '')).toBe(86_400_000)
  expect(new Date(startTime ?? '').getHours()).toBe(0)
})

test('what no filter can be is no filter', () => {
  expect(readFilters(new URLSearchParams('userId=x&from=2026-02-31&to=soon&refused=2&page=0'))).toEqual(NO_FILTER)
})
