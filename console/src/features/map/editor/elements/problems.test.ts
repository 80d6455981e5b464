/** What may not be saved: the same rules, on both their sides, as tests/map/test_editing.py. */
import { expect, test } from 'vitest'
import type { Flag, Line, MapDocument, Mark, Polygon } from '@/canvas/document/document'
import { FREE, OCCUPIED } from '@/canvas/raster/raster'
import { rasterOf } from '@/canvas/raster/test-raster'
import { problems } from './problems'

/** 4 by 4 m; the upper half is wall. */
const bare: MapDocument = {
  ...{ id: '1', name: 'hall', revision: 1, marks: [] },
  frame: { width: 80, height: 80, resolution: 0.05, origin: { x: 0, y: 0, yaw: 0 } },
  grid: rasterOf(80, 80, (_, row) => (row < 40 ? FREE : OCCUPIED)),
}
const on = (...marks: Mark[]): MapDocument => ({ ...bare, marks })
const flag = (name: string, x: number, y: number, id = name): Flag => ({ id, kind: 'stop', name, at: { x, y, yaw: 0 } })
const wall = (...points: [number, number][]): Line => ({
  ...{ id: 'w', kind: 'virtualWall', name: 'W1' },
  points: points.map(([x, y]) => ({ x, y })),
})
const zone = (right: number): Polygon => ({
  ...{ id: 'z', kind: 'forbiddenZone', name: 'Z1' },
  points: [
    { x: 1, y: 1 },
    { x: right, y: 1 },
    { x: right, y: 2 },
  ],
})
const stroke = (width: number, ...points: [number, number][]): Line => ({
  ...wall(...points),
  id: 'e',
  kind: 'eraser',
  width,
})
const problemsOf = (map: MapDocument, before = bare) => Object.fromEntries(problems(map, before))

test('[rule.map.edge] put nothing beyond the edge, and count the edge as within', () => {
  expect(problemsOf(on(zone(4), wall([0, 0], [4, 4])))).toEqual({})
  expect(problemsOf(on(zone(4.1), wall([-0.1, 0], [1, 1]), stroke(0.5, [1, 1], [1, 4.1])))).toEqual({
    ...{ z: 'problem-edge', w: 'problem-edge', e: 'problem-edge' },
  })
  expect(problemsOf(on(flag('A', 5, 1)))).toEqual({ A: 'problem-edge' })
})

test('[rule.map.flag_name] a point has a name of its own', () => {
  expect(problemsOf(on(flag('A', 1, 1), flag('B', 2, 1)))).toEqual({})
  expect(problemsOf(on(flag(' ', 1, 1, 'x')))).toEqual({ x: 'problem-name' })
  expect(problemsOf(on(flag('A', 1, 1, 'x'), flag('A', 2, 1, 'y')))).toEqual({ y: 'problem-twice' })
})

test('a point stands on free floor, unless it stood elsewhere before', () => {
  expect(problemsOf(on(flag('A', 1, 1), flag('B', 4, 0)))).toEqual({})
  expect(problemsOf(on(flag('A', 1, 3)))).toEqual({ A: 'problem-wall' })
  expect(problemsOf(on(flag('A', 1, 3)), on(flag('A', 1, 3)))).toEqual({})
  expect(problemsOf(on(flag('A', 1.2, 3)), on(flag('A', 1, 3)))).toEqual({ A: 'problem-wall' })
})

test('free what somebody erased as wide as the stroke, and nothing elsewhere', () => {
  const over = stroke(0.5, [0.5, 3], [2, 3])
  expect(problemsOf(on(over, flag('A', 1, 3.24)))).toEqual({})
  expect(problemsOf(on(over, flag('A', 1, 3.26)))).toEqual({ A: 'problem-wall' })
  expect(problemsOf(on(over, flag('A', 3, 3)))).toEqual({ A: 'problem-wall' })
})
