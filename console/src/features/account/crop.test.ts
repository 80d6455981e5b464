import { expect, test } from 'vitest'
import { faultOf, middle, moved, zoomed, zoomOf } from './crop'

const WIDE = { width: 400, height: 200 }
const file = (type: string, size = 1000) => ({ type, size })

test('the square begins in the middle and never leaves the picture', () => {
  const begin = middle(WIDE)
  expect(begin).toEqual({ x: 100, y: 0, side: 200 })
  expect(moved(WIDE, begin, 500, -500)).toEqual({ x: 200, y: 0, side: 200 })
  const near = zoomed(WIDE, begin, 2)
  expect(near).toEqual({ x: 150, y: 50, side: 100 })
  expect(zoomOf(WIDE, near)).toBe(2)
  expect(zoomed(WIDE, moved(WIDE, near, 500, 500), 1)).toEqual({ x: 200, y: 0, side: 200 })
  expect(zoomed(WIDE, begin, 99).side).toBe(50)
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
