import { expect, test } from 'vitest'
import { picked } from './files'

const file = (name: string, size = 10) => new File([new Uint8Array(size)], name)

test.each([
  [['floor.yaml', 'floor.pgm'], 'floor'],
  [['depot.yml', 'scan.PNG'], 'depot'],
  [['hotel.zip'], 'hotel'],
  [['hotel.building.yaml'], 'hotel'],
  [['valetudo.json'], 'valetudo'],
])('%s can be imported', (names, name) => {
  expect(picked(names.map((n) => file(n)))).toMatchObject({ kind: 'ready', name })
})

test.each([
  [['floor.pgm'], 'yaml-missing'],
  [['floor.yaml'], 'image-missing'],
  [['a.yaml', 'b.yaml', 'a.pgm'], 'too-many'],
  [['a.zip', 'a.yaml'], 'too-many'],
  [['notes.txt'], 'unknown'],
  [['a.json', 'b.json'], 'unknown'],
])('%s are refused before anything is sent: %s', (names, reason) => {
  expect(picked(names.map((n) => file(n)))).toEqual({ kind: 'wrong', reason })
})
