import { expect, test } from 'vitest'
import { buildingsOf, grouped } from './groups'
import type { MapRow } from './row'

const map = (mapId: number, building: string, floor: string) =>
  ({ mapId, name: `m${mapId}`, building, floor }) as MapRow
const MAPS = [map(1, '', ''), map(2, 'Quay', '10'), map(3, 'Quay', '9'), map(4, 'Ark', '1'), map(5, 'Quay', '9')]
const groupsOf = (building: string, floor: string) =>
  grouped(MAPS, { building, floor }).map((building) => [
    building.name,
    building.floors,
    building.maps.map(({ mapId }) => mapId),
  ])

test('maps stand by building and floor, floor 10 after floor 9, those of no building last', () => {
  expect(buildingsOf(MAPS)).toEqual(['Ark', 'Quay', ''])
  expect(groupsOf('', '')).toEqual([
    ['Ark', ['1'], [4]],
    ['Quay', ['9', '10'], [3, 5, 2]],
    ['', [''], [1]],
  ])
})

test('a floor is one of its building, and the switch keeps the others', () => {
  expect(groupsOf('Quay', '10')).toEqual([['Quay', ['9', '10'], [2]]])
  expect(groupsOf('Quay', '')).toEqual([['Quay', ['9', '10'], [3, 5, 2]]])
  expect(groupsOf('', '1').map(([name]) => name)).toEqual(['Ark', 'Quay', '']) // a floor alone says nothing
})
