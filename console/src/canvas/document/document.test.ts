import { expect, test } from 'vitest'
import { emptyRaster, FREE, OCCUPIED } from '../raster/raster'
import { rasterOf } from '../raster/test-raster'
import {
  contentBox,
  freeAt,
  isPrivate,
  type Line,
  type MapDocument,
  moved,
  pointsOf,
  withPoint,
  withPrivacy,
} from './document'
import { sayHours } from './hours'

/** A floor of 10 by 10 m, walled from 5 m on. */
const map: MapDocument = {
  ...{ id: 'm', name: '', revision: 1, marks: [] },
  frame: { width: 100, height: 100, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
  grid: rasterOf(100, 100, (column) => (column < 50 ? FREE : OCCUPIED)),
}
const charger = { id: 'c', kind: 'charging', name: 'Charger', at: { x: 1, y: 2, yaw: 0.5 } } as const
const stroke = (...xs: number[]): Line => ({
  ...{ id: 'e', kind: 'eraser', name: '', width: 0.5 },
  points: xs.map((x) => ({ x, y: 5 })),
})
const erased = (mark: Line, x: number, y = 5) => freeAt({ ...map, marks: [charger, mark] }, { x, y })

test('a flag is dragged by its place, and keeps its heading', () => {
  expect(pointsOf(charger)).toEqual([charger.at])
  expect(moved(charger, 2, -1)).toEqual({ ...charger, at: { x: 3, y: 1, yaw: 0.5 } })
  expect(withPoint(charger, 0, { x: 4, y: 4 })).toEqual({ ...charger, at: { x: 4, y: 4, yaw: 0.5 } })
})

test('free is what the picture says; the edge belongs to the map, and without a picture nobody knows', () => {
  const free = (x: number, y: number) => freeAt(map, { x, y })
  expect([free(1, 1), free(6, 1), free(11, 1)]).toEqual([true, false, false])
  expect([free(1, 10), free(1, 10.11)]).toEqual([true, false])
  expect(freeAt({ ...map, grid: undefined }, { x: 6, y: 1 })).toBe(true)
})

test('free what an eraser went over, as far as the stroke is wide', () => {
  expect([erased(stroke(6, 8), 7), erased(stroke(6, 8), 7, 5.25), erased(stroke(6, 8), 7, 5.3)]).toEqual([
    true,
    true,
    false,
  ])
  expect([erased(stroke(6), 6.2), erased(stroke(6), 6.3)]).toEqual([true, false])
  const { width: _, ...bare } = stroke(6, 8)
  expect([erased(bare, 7), erased(bare, 7, 5.01)]).toEqual([true, false])
})

test('zoom to the box around known cells', () => {
  const grid = rasterOf(100, 100, (column, row) => Number(column > 19 && column < 40 && row === 7))
  const box = contentBox({ ...map, grid })
  expect([box?.left, box?.right, box?.bottom, box?.top].map((metres) => metres?.toFixed(2))).toEqual([
    '2.00',
    '4.00',
    '0.70',
    '0.80',
  ])
  expect(contentBox({ ...map, grid })).toBe(box)
  expect(contentBox({ ...map, grid: undefined })).toBeUndefined()
  expect(contentBox({ ...map, grid: emptyRaster(100, 100) })).toBeUndefined()
})

test('hours are isolated from the direction of the text around them', () => {
  expect(sayHours({ start: '22:00', end: '06:00' })).toBe('\u206622:00–06:00\u2069')
})

test('a room without pictures says so until it is given them again', () => {
  const room = { ...{ id: 'r', kind: 'freeArea' as const, name: 'Ward' }, points: [] }
  const hidden = withPrivacy(room, true)
  expect(isPrivate(hidden)).toBe(true)
  expect(isPrivate(room)).toBe(false)
  expect(withPrivacy(hidden, false)).toEqual(room)
  expect(withPrivacy(room, true)).toEqual(hidden)
})
