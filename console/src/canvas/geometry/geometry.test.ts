import { expect, test } from 'vitest'
import {
  area,
  beyond,
  clamp,
  contains,
  type Frame,
  fromCell,
  fromSegment,
  middle,
  overhang,
  pairs,
  rectangle,
  sides,
  toCell,
  turn,
} from './geometry'

const frame: Frame = { width: 40, height: 20, resolution: 0.05, origin: { x: -1, y: -2, yaw: 0 } }
const turned: Frame = { ...frame, origin: { x: 1, y: 2, yaw: Math.PI / 2 } }

test('the area of a polygon is the same whichever way round it goes', () => {
  const ring = [
    { x: 0, y: 0 },
    { x: 3, y: 0 },
    { x: 3, y: 2 },
    { x: 0, y: 2 },
  ]
  expect(area(ring)).toBe(6)
  expect(area(ring.toReversed())).toBe(6)
})

test('cells are counted from the origin, also where it is negative', () => {
  expect(toCell({ x: -0.99, y: -1.99 }, frame)).toEqual([0, 0])
  expect(toCell({ x: -1.01, y: -1.99 }, frame)).toEqual([-1, 0])
  expect(fromCell(0.5, 0.5, frame)).toEqual({ x: -0.975, y: -1.975 })
})

test('a turned map keeps its own rows and columns', () => {
  expect(toCell({ x: 0.97, y: 2.12 }, turned)).toEqual([2, 0])
  const at = fromCell(2.5, 0.5, turned)
  expect(at.x).toBeCloseTo(0.975)
  expect(at.y).toBeCloseTo(2.125)
})

test('[rule.map.edge] the edge belongs to the map, what lies past it does not', () => {
  expect(beyond([{ x: 1, y: -1 }], frame)).toEqual([])
  expect(
    beyond(
      [
        { x: 1.001, y: -1 },
        { x: 0, y: 0 },
      ],
      frame,
    ),
  ).toEqual([
    { x: 1.001, y: -1 },
    { x: 0, y: 0 },
  ])
  expect(beyond([{ x: 0.5, y: 3 }], turned)).toEqual([])
  expect(beyond([{ x: 1.5, y: 3 }], turned)).toHaveLength(1)
})

test('the overhang is measured along the axes of the map', () => {
  const shape = rectangle({ x: 0, y: -1.5 }, { x: 1.5, y: -1.1 }, frame)
  const over = overhang(shape, frame)
  expect(over?.width).toBeCloseTo(0.5)
  expect(over?.height).toBeCloseTo(0.4)
  expect(overhang(rectangle({ x: 0, y: -1.5 }, { x: 1, y: -1 }, frame), frame)).toBeUndefined()
  const aslant = overhang(rectangle({ x: 0.5, y: 3 }, { x: 0.5, y: 3.5 }, turned), turned)
  expect(aslant).toBeUndefined()
})

test('clamping brings a point to the edge of a turned map', () => {
  const at = clamp({ x: 5, y: 3 }, turned)
  expect(at.x).toBeCloseTo(1)
  expect(at.y).toBeCloseTo(3)
})

test('a rectangle on a turned map runs along the map', () => {
  const slanted: Frame = { ...frame, origin: { x: 0, y: 0, yaw: Math.PI / 4 } }
  const [a, b, c, d] = rectangle({ x: 0, y: 0 }, { x: 0, y: 1 }, slanted)
  expect(a).toEqual({ x: 0, y: 0 })
  expect(c).toEqual({ x: 0, y: 1 })
  expect(b?.x).toBeCloseTo(0.5)
  expect(b?.y).toBeCloseTo(0.5)
  expect(d?.x).toBeCloseTo(-0.5)
})

test('a point is in a polygon with a bay only where the polygon is', () => {
  const bay = [
    { x: 0, y: 0 },
    { x: 4, y: 0 },
    { x: 4, y: 4 },
    { x: 2, y: 1 },
    { x: 0, y: 4 },
  ]
  expect(contains(bay, { x: 2, y: 0.5 })).toBe(true)
  expect(contains(bay, { x: 2, y: 3 })).toBe(false)
})

test('turns go the short way', () => {
  expect(turn(3, -3)).toBeCloseTo(2 * Math.PI - 6)
  expect(turn(-3, 3)).toBeCloseTo(6 - 2 * Math.PI)
  expect(turn(0, Math.PI)).toBeCloseTo(Math.PI)
})

test('a ring has as many sides as points; nothing has none and no area', () => {
  const [a, b, c] = [
    { x: 0, y: 0 },
    { x: 3, y: 0 },
    { x: 3, y: 2 },
  ]
  expect(sides([a, b, c])).toEqual([
    [a, b],
    [b, c],
    [c, a],
  ])
  expect([sides([]), area([])]).toEqual([[], 0])
})

test('a stretch without length is as far as its point', () => {
  expect(fromSegment({ x: 3, y: 4 }, { x: 0, y: 0 }, { x: 0, y: 0 })).toBe(5)
})

test('the label of a polygon stands in the middle of its area, that of a line between its ends', () => {
  const square = rectangle({ x: 1, y: 1 }, { x: 3, y: 5 }, { ...frame, origin: { x: 0, y: 0, yaw: 0 } })
  expect(middle(square).x).toBeCloseTo(2)
  expect(middle(square).y).toBeCloseTo(3)
  expect(
    middle([
      { x: 1, y: 1 },
      { x: 3, y: 5 },
    ]),
  ).toEqual({ x: 2, y: 3 })
})

test('a flat list is read in pairs; half a pair at its end is none', () => {
  expect(pairs([1, 2, 3, 4, 5])).toEqual([
    { x: 1, y: 2 },
    { x: 3, y: 4 },
  ])
})
