import { expect, test } from 'vitest'
import { rank, ranked } from './rank'

const LABELS = ['Add elevator', 'Device list', 'Device group', 'Message centre', 'Données', '设备列表']
const labels = (typed: string) =>
  ranked(
    typed,
    LABELS.map((label) => ({ label })),
  ).map(({ label }) => label)

test('letters must come in their order', () => {
  expect(rank('dl', 'Device list')).toBeDefined()
  expect(rank('ld', 'Device list')).toBeUndefined()
})

test('beginnings of words come before letters within them', () => {
  expect(labels('dl')[0]).toBe('Device list')
  expect(labels('gro')[0]).toBe('Device group')
})

test('accents and capitals are passed over, other scripts are read', () => {
  expect(labels('DONNEES')).toEqual(['Données'])
  expect(labels('列表')).toEqual(['设备列表'])
})

test('without a word everything stands in its own order', () => {
  expect(labels(' ')).toEqual(LABELS)
})
