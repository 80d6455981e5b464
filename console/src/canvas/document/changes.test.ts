import { expect, test } from 'vitest'
import { emptyRaster, withSpans } from '../raster/raster'
import { changedCells, changedPath, joined } from './changes'

const frame = { width: 300, height: 300, resolution: 0.1, origin: { x: -5, y: 0, yaw: 0 } }

test('only the cells that differ are painted anew', () => {
  const before = withSpans(emptyRaster(300, 300), [{ row: 3, column: 0, length: 50, value: 1 }])
  const now = withSpans(before, [
    { row: 3, column: 40, length: 20, value: 1 },
    { row: 6, column: 55, length: 2, value: 1 },
  ])
  expect(changedCells(before, before, frame)).toBeUndefined()
  const box = changedCells(before, now, frame)
  expect(box?.left).toBeCloseTo(0)
  expect(box?.right).toBeCloseTo(1)
  expect(box?.bottom).toBeCloseTo(0.3)
  expect(box?.top).toBeCloseTo(0.7)
})

test('a path that grew is painted anew from its last known point on', () => {
  expect(changedPath([0, 0, 1, 1], [0, 0, 1, 1])).toBeUndefined()
  expect(changedPath([0, 0, 1, 1], [0, 0, 1, 1, 2, 3])).toEqual({ left: 1, right: 2, bottom: 1, top: 3 })
  expect(changedPath([0, 0, 5, 5], [0, 0, 1, 2])).toEqual({ left: 0, right: 5, bottom: 0, top: 5 })
})

test('boxes join', () => {
  const a = { left: 0, right: 1, bottom: 0, top: 1 }
  expect(joined(a, undefined)).toBe(a)
  expect(joined(undefined, a)).toBe(a)
  expect(joined(a, { left: 3, right: 4, bottom: -1, top: 0 })).toEqual({ left: 0, right: 4, bottom: -1, top: 1 })
})
