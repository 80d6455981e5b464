import { expect, test } from 'vitest'
import { type FormField, merged, typed } from './fields'

const FIELDS: readonly FormField[] = ['name', 'floor', 'robots'].map((name) => ({ name, label: 'name' }))
const base = { name: 'A', floor: '1', robots: [1] }
const values = { name: 'B', floor: '1', robots: [1] }
const theirs = { name: 'C', floor: '2', robots: [1, 2] }

test('take for typed what differs, and compare lists by content', () => {
  expect(typed(FIELDS, base, values)).toEqual(['name'])
  expect(typed(FIELDS, base, { ...base, robots: [2] })).toEqual(['robots'])
})

test('take theirs where nobody typed, and keep typed fields', () => {
  expect(merged(FIELDS, { base, values, theirs }, [])).toEqual({ name: 'B', floor: '2', robots: [1, 2] })
})

test('a typed value goes where theirs is preferred', () => {
  expect(merged(FIELDS, { base, values, theirs }, ['name'])).toEqual(theirs)
})
