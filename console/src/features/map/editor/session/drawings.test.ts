/** Drawings in the browser's store: by account and map, bounded in age and number. */
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'
import type { Drawing } from '@/canvas/document/session'
import { deleteDrawing, loadDrawing, storeDrawing } from './drawings'

const DAY_MS = 24 * 60 * 60_000
const NOON = Date.UTC(2026, 10, 21, 12)
const map = {
  ...{ id: '6', name: 'ward', revision: 1, grid: undefined, marks: [] },
  frame: { width: 4, height: 4, resolution: 1, origin: { x: 0, y: 0, yaw: 0 } },
}
const drawing = (onto = 1): Drawing => ({ base: map, map, onto, conflicts: [], merged: 0 })

const at = (ms: number) => vi.spyOn(Date, 'now').mockReturnValue(ms)

afterEach(async () => {
  vi.restoreAllMocks()
  await deleteDB('lustra-drawings')
})

test('a drawing comes back with its time, until it was deleted', async () => {
  at(NOON)
  await storeDrawing(3, 6, drawing(7))
  expect(await loadDrawing(3, 6)).toEqual({ ...drawing(7), userId: 3, mapId: 6, savedAt: NOON })
  await deleteDrawing(3, 6)
  expect(await loadDrawing(3, 6)).toBeUndefined()
})

test('no account is given another’s, and no map another’s', async () => {
  await storeDrawing(3, 6, drawing())
  expect(await loadDrawing(4, 6)).toBeUndefined()
  expect(await loadDrawing(3, 7)).toBeUndefined()
})

test('a drawing is given for thirty days, and taken out by the next one after them', async () => {
  at(NOON)
  await storeDrawing(3, 6, drawing())
  at(NOON + 30 * DAY_MS - 1)
  expect(await loadDrawing(3, 6)).toBeDefined()
  at(NOON + 30 * DAY_MS)
  expect(await loadDrawing(3, 6)).toBeUndefined()
  await storeDrawing(3, 7, drawing())
  at(NOON)
  expect(await loadDrawing(3, 6)).toBeUndefined()
})

test('the newest thirty stay', async () => {
  for (let mapId = 0; mapId < 31; mapId++) {
    at(NOON + mapId)
    await storeDrawing(3, mapId, drawing())
  }
  expect(await loadDrawing(3, 0)).toBeUndefined()
  expect(await loadDrawing(3, 1)).toBeDefined()
  expect(await loadDrawing(3, 30)).toBeDefined()
})
