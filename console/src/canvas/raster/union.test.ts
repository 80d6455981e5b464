import { expect, test } from 'vitest'
import { cellAt, emptyRaster, SIDE, withSpans } from './raster'
import { union } from './union'

const painted = (row: number, column: number) =>
  withSpans(emptyRaster(2 * SIDE, SIDE), [{ row, column, length: 2, value: 1 }])

test('a floor shows what every robot on it has cleaned', () => {
  const both = union([painted(3, 5), painted(9, SIDE + 1)])
  expect([both && cellAt(both, 5, 3), both && cellAt(both, SIDE + 2, 9), both && cellAt(both, 9, 9)]).toEqual([1, 1, 0])
})

test('a tile that lobby robot painted is not copied, lobby that two painted holds both', () => {
  const a = painted(3, 5)
  const b = painted(4, 5)
  const c = painted(9, SIDE + 1)
  const all = union([a, b, c])
  expect(all?.tiles[1]).toBe(c.tiles[1])
  expect([all && cellAt(all, 5, 3), all && cellAt(all, 5, 4)]).toEqual([1, 1])
  expect(cellAt(a, 5, 4)).toBe(0)
})

test('unite nothing to nothing, and a single part to itself', () => {
  const lobby = painted(3, 5)
  expect([union([]), union([undefined]), union([undefined, lobby])]).toEqual([undefined, undefined, lobby])
})
