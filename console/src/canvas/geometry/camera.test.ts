import { expect, test } from 'vitest'
import { boxOfFrame, type Camera, fitBox, LARGEST_SCALE, pan, scaleBar, seen, toMap, toScreen, zoomAt } from './camera'

const view = { width: 800, height: 600 }
const camera: Camera = { x: 5, y: 3, scale: 20 }

test('metres go up, px go down', () => {
  expect(toScreen(camera, view, { x: 6, y: 4 })).toEqual({ x: 420, y: 280 })
  expect(toMap(camera, view, { x: 420, y: 280 })).toEqual({ x: 6, y: 4 })
})

test('zooming keeps what is under the pointer under the pointer', () => {
  const pointer = { x: 100, y: 500 }
  const held = toMap(camera, view, pointer)
  const after = toMap(zoomAt(camera, view, pointer, 1.7), view, pointer)
  expect(after.x).toBeCloseTo(held.x)
  expect(after.y).toBeCloseTo(held.y)
  expect(zoomAt(camera, view, pointer, 1e9).scale).toBe(LARGEST_SCALE)
})

test('panning moves the picture with the hand', () => {
  const at = { x: 5, y: 3 }
  const before = toScreen(camera, view, at)
  expect(toScreen(pan(camera, 30, -10), view, at)).toEqual({ x: before.x + 30, y: before.y - 10 })
})

test('a fitted box is seen whole and in the middle', () => {
  const box = { left: 10, right: 58, bottom: -2, top: 25 }
  const fitted = fitBox(box, view, 24)
  expect(fitted).toMatchObject({ x: 34, y: 11.5 })
  expect(toScreen(fitted, view, { x: 10, y: 25 }).x).toBeCloseTo(24)
  expect(seen(fitted, view).top).toBeGreaterThan(25)
})

test('the scale bar is round and fits', () => {
  expect(scaleBar(18.3, 110)).toEqual({ metres: 5, px: 91.5 })
  expect(scaleBar(200, 110)).toEqual({ metres: 0.5, px: 100 })
  expect(scaleBar(40, 110)).toEqual({ metres: 2, px: 80 })
  expect(scaleBar(60, 110)).toEqual({ metres: 1, px: 60 })
})

test('the box of a map goes round its corners, also where it is turned', () => {
  const frame = { width: 40, height: 20, resolution: 0.5, origin: { x: 1, y: 2, yaw: Math.PI / 2 } }
  const box = boxOfFrame(frame)
  expect(box.left).toBeCloseTo(-9)
  expect(box.right).toBeCloseTo(1)
  expect([box.bottom, box.top]).toEqual([2, 22])
})
