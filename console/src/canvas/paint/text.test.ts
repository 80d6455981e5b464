import { expect, test } from 'vitest'
import type { Palette } from '../palette'
import type { Context } from './patterns'
import { freePlace, type Taken } from './text'

const context = { measureText: (text: string) => ({ width: text.length * 6 }) } as Context
const palette = { font: 'sans-serif' } as Palette

test('the name of a zone stands under the name of the room that it covers', () => {
  const taken: Taken[] = []
  const put = (text: string, x: number, y: number) => freePlace(context, { x, y }, text, palette, taken)
  expect(put('Room 304', 100, 100)).toMatchObject({ x: 100, y: 100 })
  expect(put('Isolation', 102, 98)).toMatchObject({ x: 102, y: 117 })
  expect(put('Room 305', 300, 100)).toMatchObject({ x: 300, y: 100 })
})
