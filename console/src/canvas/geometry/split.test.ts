import { expect, test } from 'vitest'
import { area, type Point } from './geometry'
import { lengthened, split } from './split'

const p = (x: number, y: number): Point => ({ x, y })
const SQUARE = [p(0, 0), p(4, 0), p(4, 4), p(0, 4)]
/** A corridor with a room at each end, open to the top. */
const U = [p(0, 0), p(9, 0), p(9, 6), p(6, 6), p(6, 3), p(3, 3), p(3, 6), p(0, 6)]

test('a polygon is split into parts that are all of it', () => {
  const parts = split(SQUARE, p(2, -1), p(2, 5))
  expect(parts?.map(area)).toEqual([8, 8])
  const turned = split(SQUARE, p(2, 5), p(2, -1))
  expect(turned?.map(area)).toEqual([8, 8])
})

test('a line is cut where it first goes all the way across', () => {
  const parts = split(U, p(-1, 5), p(10, 5))
  expect(parts?.map(area).toSorted((a, b) => a - b)).toEqual([3, 42])
  const inner = split(U, p(2, 4), p(10, 4)) // it begins within, so the first piece is none
  expect(inner?.map(area).toSorted((a, b) => a - b)).toEqual([6, 39])
})

test('split nothing by a line that does not cross, or runs along a side', () => {
  expect(split(SQUARE, p(1, 1), p(3, 3))).toBeUndefined()
  expect(split(SQUARE, p(-1, 0), p(5, 0))).toBeUndefined()
  expect(split([], p(0, 0), p(1, 1))).toBeUndefined()
})

test('a line is made longer at both ends', () => {
  expect(lengthened(p(0, 0), p(2, 0), 0.5)).toEqual([p(-0.5, 0), p(2.5, 0)])
})
