import { expect, test } from 'vitest'
import { byFloor, changesTo } from './copies'
import type { MapRow } from './row'

const wall = (name: string, x: number) => ({ name, points: [[x, 0] as [number, number], [x, 2] as [number, number]] })
const map = (mapId: number, change: Partial<MapRow> = {}) =>
  ({
    ...{ mapId, name: 'Ground', building: 'Quay', floor: '1', deviceId: mapId, revision: mapId, closed: false },
    ...{ width: 40, height: 30, resolution: 0.5, origin: [0, 0, 0], area: 300 },
    ...{ flags: [], virtualWalls: [wall('W1', 1)], forbiddenZones: [], freeAreas: [], erasers: [] },
    updateTime: `2026-11-2${mapId}T00:00:00Z`,
    ...change,
  }) as unknown as MapRow

test('maps of one floor and name are one, shown by the newest, or by that of the library', () => {
  const robots = [map(1), map(3), map(2), map(4, { floor: '2' }), map(5, { name: 'Annex' })]
  const ids = (maps: readonly MapRow[]) => byFloor(maps).map(({ first, maps: all }) => [first.mapId, all.length])
  expect(ids(robots)).toEqual([
    [3, 3],
    [4, 1],
    [5, 1],
  ])
  expect(ids([...robots, map(0, { deviceId: null })])[0]).toEqual([0, 4])
})

test('a copy is like the first by what is drawn on it, whatever its revision and ids are', () => {
  const first = map(3)
  expect(changesTo(first, map(1, { virtualWalls: [{ ...wall('W1', 1), id: 'other' }] as never }))).toEqual([])
  const changes = changesTo(first, map(2, { virtualWalls: [wall('W2', 5)] as never }))
  expect(changes?.map(({ kind, mark }) => [kind, mark.name])).toEqual([
    ['added', 'W1'],
    ['removed', 'W2'],
  ])
})

test('of another plan, or hidden from support, nothing is compared', () => {
  expect(changesTo(map(3), map(1, { width: 41 }))).toBeUndefined()
  expect(changesTo(map(3), map(1, { closed: true }))).toBeUndefined()
})
