import { expect, test } from 'vitest'
import { changesOf, requestOf, summary } from './changes'
import { FILTERS } from './filters'

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

test('[route.log] the filter lives in the URL; days are whole days of the viewer', () => {
  const values = { ...FILTERS.none, words: 'a b', user: 3, device: 5, action: 'login', refused: true }
  expect(FILTERS.read(FILTERS.write(values))).toEqual(values)
  const { startTime, endTime } = FILTERS.payload({ ...FILTERS.none, from: '2026-03-05', to: '2026-03-05' })
  expect(Date.parse(endTime ?? '') - Date.parse(startTime ?? '')).toBe(86_400_000)
  expect(new Date(startTime ?? '').getHours()).toBe(0)
})
