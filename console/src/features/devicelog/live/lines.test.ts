import { expect, test } from 'vitest'
import { addLines, having, NO_LINES, type Part } from './lines'

const part = (first: number, lines: string[], stream = 'a'): Part => ({
  ...{ log: 'device', state: 'following' },
  ...{ first, lines, stream },
})
const texts = (...parts: Part[]) =>
  parts.reduce(addLines, NO_LINES).list.map(({ text, missing }) => (missing ? `${missing}+${text}` : text))

test('lines that came before are passed over, and what is missing between two is counted', () => {
  expect(texts(part(-2, ['x', 'y']), part(-1, ['y', 'z']), part(5, ['w']))).toEqual(['x', 'y', 'z', '4+w'])
})

test('after a new start of the robot its numbers begin anew, and nothing counts as left out', () => {
  expect(texts(part(7, ['x']), part(0, ['y'], 'b'))).toEqual(['x', 'y'])
})

test('of very many lines the newest stay', () => {
  const list = addLines(addLines(NO_LINES, part(0, Array(4999).fill('old'))), part(4999, ['new', 'newest'])).list
  expect([list.length, list.at(-1)?.text, list[0]?.text]).toEqual([5000, 'newest', 'old'])
})

test('a filter takes words as they are written, in either case', () => {
  const lines = [
    { text: 'a WARN help', missing: 0 },
    { text: 'b INFO', missing: 0 },
  ]
  expect(having(lines, ' warn ').length).toBe(1)
  expect(having(lines, '').length).toBe(2)
})
