import { expect, test } from 'vitest'
import type { MapDocument } from '../document/document'
import { FREE, OCCUPIED } from '../raster/raster'
import { rasterOf } from '../raster/test-raster'
import type { Tool } from '../tools/tool'
import type { Point } from './geometry'
import { type Snaps, snapped, snapping } from './snap'

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

const drawn: MapDocument = {
  ...map,
  marks: [
    { id: 'c', kind: 'charging', name: '', at: { x: 2, y: 2, yaw: 0 } },
    {
      ...{ id: 'w', kind: 'virtualWall', name: '' },
      points: [
        { x: 1, y: 1 },
        { x: 4.95, y: 1 },
      ],
    },
  ],
}

test('a point of another mark goes before the wall behind it; a flag holds nothing', () => {
  const walls = { ...NONE, walls: true }
  expect(snapped(drawn, { x: 4.9, y: 1.1 }, undefined, walls, 0.3)).toEqual({ x: 4.95, y: 1 })
  expect(snapped({ ...drawn, grid: undefined }, { x: 2.1, y: 2 }, undefined, walls, 0.3)).toEqual({ x: 2.1, y: 2 })
})

test('a hand that snaps draws from where it began, until it is cancelled', () => {
  const places: Record<string, Point> = {}
  const tool: Tool = {
    ...{ id: 't', cursor: 'crosshair' },
    down: (at) => {
      places.down = at
      return true
    },
    move: (at) => {
      places.move = at
    },
    up: (at) => {
      places.up = at
    },
    cancel: () => {
      places.cancel = { x: 0, y: 0 }
    },
  }
  const idle = () => undefined
  const editor = {
    ...{ map, selected: undefined, selection: [], reach: 0.3, draft: idle, commit: idle, refuse: idle },
    ...{ select: idle, choose: idle, marquee: idle },
  }
  let snaps = NONE
  const hand = snapping(tool, editor, () => snaps)
  expect(hand.down({ x: 1, y: 1 })).toBe(true)
  hand.move({ x: 4, y: 1.2 })
  expect(places).toEqual({ down: { x: 1, y: 1 }, move: { x: 4, y: 1.2 } })
  snaps = { ...NONE, right: true }
  hand.up({ x: 4, y: 1.2 })
  expect(places.up).toEqual({ x: 4, y: 1 })
  hand.cancel()
  expect(places.cancel).toBeDefined()
  hand.move({ x: 4, y: 1.2 })
  near(places.move ?? { x: 0, y: 0 }, 4, 1.2)
})
