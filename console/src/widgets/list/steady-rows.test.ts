import { expect, test } from 'vitest'
import { inSequence } from './steady-rows'

const idOf = ({ id }: { id: number }) => id
const rows = (...ids: number[]) => ids.map((id) => ({ id }))

test('while the pointer rests on them rows stay where they were, and new ones come last', () => {
  expect(inSequence(rows(3, 1, 4, 2), idOf, [1, 2, 3]).map(idOf)).toEqual([1, 2, 3, 4])
})

test('a row that is gone leaves no gap', () => {
  expect(inSequence(rows(3, 1), idOf, [1, 2, 3]).map(idOf)).toEqual([1, 3])
})
