import { expect, test } from 'vitest'
import { pathTo } from './owner-tree'

const tree = [
  {
    userId: 1,
    name: 'dealer',
    childs: [{ userId: 2, name: 'user', childs: [{ userId: 3, name: 'sub', childs: [] }] }],
  },
  { userId: 9, name: 'rival', childs: [] },
]

test('[feat.device_list.filters] an owner is found with all levels above', () => {
  expect(pathTo(tree, 3)).toEqual([1, 2, 3])
  expect(pathTo(tree, 9)).toEqual([9])
})

test('an account that is not in the tree has no path', () => {
  expect(pathTo(tree, 77)).toBeUndefined()
})
