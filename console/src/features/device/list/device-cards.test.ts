import { expect, test } from 'vitest'
import { columnsIn } from './device-cards'

test.each([
  ['1440, menu open', 1208, 4],
  ['1024, menu open', 792, 3],
  ['768, menu folded', 671, 2],
  ['390', 358, 1],
])('[route.device.index] cards fill a screen of %s', (_, width, columns) => {
  expect(columnsIn(width)).toBe(columns)
})
