import { expect, test } from 'vitest'
import { changesOf, folded, type LogRow, requestOf, summary, type Words } from './changes'
import { FILTERS } from './filters'

const words: Words = {
  fields: { targetUserId: 'User', name: 'Name', deviceIds: 'Device' },
  robots: new Map([[1, 'Kestrel 1']]),
  list: (names) => names.join(', '),
}
const row = { detail: { targetUserId: 3, name: 'New', mosaic: 1 }, before: { name: 'Old' }, after: { name: 'New' } }

test('a row tells what changed field by field, and what else was asked, in words', () => {
  expect(changesOf(row, words)).toEqual([{ field: 'Name', before: 'Old', after: 'New' }])
  expect(requestOf(row, words)).toEqual([
    ['User', '3'],
    ['mosaic', '1'],
  ])
  expect(summary(row, words)).toBe('User: 3 · Name: New')
})

test('name robots, and give their number where nobody knows the name', () => {
  expect(summary({ detail: { deviceIds: [1, 2] } }, words)).toBe('Device: Kestrel 1, #2')
})

test('a side that is missing is empty, and what has no fields is one change', () => {
  expect(changesOf({ before: { ids: [1] }, after: null }, words)).toEqual([{ field: 'ids', before: '1', after: '' }])
  expect(changesOf({ before: [1], after: [1, 2] }, words)).toEqual([{ field: '', before: '1', after: '1, 2' }])
  expect(changesOf({ before: null, after: null }, words)).toEqual([])
})

test('connections that follow one another are one row that says how often', () => {
  const at = (id: number, action: string, deviceId = 1) =>
    ({ ...row, id, action, deviceId, userId: 3, actingId: 3, result: 0, address: 'a' }) as unknown as LogRow
  const rows = [at(9, 'device.grant'), at(8, 'device.grant'), at(7, 'device.grant', 2), at(6, 'login'), at(5, 'login')]
  expect(folded(rows).map(({ id, times }) => [id, times])).toEqual([
    [9, 2],
    [7, 1],
    [6, 1],
    [5, 1],
  ])
})

test('[route.log] the filter lives in the URL; days are whole days of the viewer', () => {
  const values = { ...FILTERS.none, words: 'a b', user: 3, device: 5, action: 'login', refused: true }
  expect(FILTERS.read(FILTERS.write(values))).toEqual(values)
  const { startTime, endTime } = FILTERS.payload({ ...FILTERS.none, from: '2026-03-05', to: '2026-03-05' })
  expect(Date.parse(endTime ?? '') - Date.parse(startTime ?? '')).toBe(86_400_000)
  expect(new Date(startTime ?? '').getHours()).toBe(0)
})
