import { expect, test } from 'vitest'
import type { MapDocument } from '../document/document'
import { FREE, OCCUPIED, rasterOf } from '../raster/raster'
import { type Snaps, snapped } from './snap'

const NONE: Snaps = { walls: false, right: false, metres: false }
const map: MapDocument = {
  ...{ id: 'm', name: '', revision: 1, marks: [] },
  frame: { width: 100, height: 100, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
  grid: rasterOf(100, 100, (column) => (column === 50 ? OCCUPIED : FREE)),
}
const near = (a: { x: number; y: number }, x: number, y: number) => {
  expect(a.x).toBeCloseTo(x)
  expect(a.y).toBeCloseTo(y)
}

test('without snapping a point stays where it is', () => {
  expect(snapped(map, { x: 4.9, y: 3 }, undefined, NONE, 0.3)).toEqual({ x: 4.9, y: 3 })
})

test('near a wall it lies on the wall, farther away it does not', () => {
  near(snapped(map, { x: 4.85, y: 3.05 }, undefined, { ...NONE, walls: true }, 0.3), 5.05, 3.05)
  near(snapped(map, { x: 4, y: 3 }, undefined, { ...NONE, walls: true }, 0.3), 4, 3)
})

test('nearly level is level, and nearly upright is upright', () => {
  const right = { ...NONE, right: true }
  near(snapped(map, { x: 4, y: 1.2 }, { x: 1, y: 1 }, right, 0.3), 4, 1)
  near(snapped(map, { x: 1.2, y: 4 }, { x: 1, y: 1 }, right, 0.3), 1, 4)
  near(snapped(map, { x: 3, y: 3 }, { x: 1, y: 1 }, right, 0.3), 3, 3)
})

test('the metre grid pulls to whole metres and never beyond the map', () => {
  near(snapped(map, { x: 2.4, y: 2.6 }, undefined, { ...NONE, metres: true }, 0.3), 2, 3)
  near(snapped(map, { x: 9.9, y: 10.4 }, undefined, { ...NONE, metres: true }, 0.3), 10, 10)
})
