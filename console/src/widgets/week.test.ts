import { expect, test } from 'vitest'
import { runsOf } from './week'

test.each([
  [[], []],
  [[3], [[3, 3]]],
  [
    [1, 2],
    [
      [1, 1],
      [2, 2],
    ],
  ],
  [[5, 1, 3, 2, 4], [[1, 5]]],
  [
    [1, 2, 3, 6, 7],
    [
      [1, 3],
      [6, 6],
      [7, 7],
    ],
  ],
])('%j are written as %j: three in a row or more are a run', (days, runs) => {
  expect(runsOf(days)).toEqual(runs)
})
