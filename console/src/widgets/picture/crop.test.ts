import { expect, test } from 'vitest'
import { faultOf, middle, moved, zoomed, zoomOf } from './crop'

const WIDE = { width: 400, height: 200 }
const SQUARE = { width: 60, height: 60 }
const LOGO = { width: 800, height: 400 }
const file = (type: string, size = 1000) => ({ type, size })

test('the area begins in the middle and never leaves the picture', () => {
  const begin = middle(WIDE, SQUARE)
  expect(begin).toEqual({ x: 100, y: 0, width: 200, height: 200 })
  expect(moved(WIDE, begin, 500, -500)).toEqual({ x: 200, y: 0, width: 200, height: 200 })
  const near = zoomed(WIDE, begin, 2)
  expect(near).toEqual({ x: 150, y: 50, width: 100, height: 100 })
  expect(zoomOf(WIDE, near)).toBe(2)
  expect(zoomed(WIDE, moved(WIDE, near, 500, 500), 1)).toEqual({ x: 200, y: 0, width: 200, height: 200 })
  expect(zoomed(WIDE, begin, 99).width).toBe(50)
})

test('the area has the shape of its place', () => {
  const high = { width: 100, height: 300 }
  expect(middle(high, LOGO)).toEqual({ x: 0, y: 125, width: 100, height: 50 })
  expect(zoomed(high, middle(high, LOGO), 2)).toEqual({ x: 25, y: 137.5, width: 50, height: 25 })
})

test.each([
  ['none', [], 'select-picture'],
  ['two', [file('image/png'), file('image/png')], 'fault-picture-one'],
  ['a text', [file('text/plain')], 'fault-picture-kind'],
  ['an SVG', [file('image/svg+xml')], 'fault-picture-kind'],
  ['2 MB and a byte', [file('image/png', 2_097_153)], 'fault-picture-size'],
  ['2 MB', [file('image/webp', 2_097_152)], undefined],
])('a chosen file: %s', (_, files, fault) => {
  expect(faultOf(files)).toBe(fault)
})
