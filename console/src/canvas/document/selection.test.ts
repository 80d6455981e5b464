import { expect, test } from 'vitest'
import type { MapDocument, Mark } from './document'
import { areRooms, chosenMarks, marksWithin, withCopies, withMoved, withoutMarks } from './selection'

const p = (x: number, y: number) => ({ x, y })
const wall = (id: string, name: string, x = 2): Mark => ({ id, kind: 'virtualWall', name, points: [p(x, 2), p(x, 4)] })
const dock: Mark = { id: 'd', kind: 'charging', name: 'Dock', at: { x: 5, y: 5, yaw: 1 } }
const room: Mark = { id: 'r', kind: 'freeArea', name: '', points: [p(0, 0), p(10, 0), p(10, 10)] }
const map = (...marks: Mark[]): MapDocument => ({
  ...{ id: 'm', name: '', revision: 1, grid: undefined, marks },
  frame: { width: 100, height: 100, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
})

test('copies stand beside what they are of, with ids and names of their own', () => {
  const floor = map(wall('w', 'W1'), dock)
  const { map: now, ids } = withCopies(floor, floor.marks)
  expect(now.marks).toHaveLength(4)
  expect(chosenMarks(now, ids)).toMatchObject([
    { name: 'W2', points: [p(2.5, 1.5), p(2.5, 3.5)] },
    { name: 'Dock 2', at: { x: 5.5, y: 4.5, yaw: 1 } },
  ])
  const again = withCopies(now, floor.marks)
  expect(chosenMarks(again.map, again.ids).map(({ name }) => name)).toEqual(['W3', 'Dock 3'])
})

test('[rule.map.edge] copies stay on the map: on another side where there is no room, or over it', () => {
  const at = (...marks: Mark[]) => {
    const { map: now, ids } = withCopies(map(...marks), marks)
    return chosenMarks(now, ids)
  }
  expect(at(wall('w', '', 9.8))).toMatchObject([{ name: '', points: [p(9.3, 1.5), p(9.3, 3.5)] }])
  expect(at(room)).toMatchObject([{ points: [p(0, 0), p(10, 0), p(10, 10)] }])
  expect(withCopies(map(dock), [wall('w', 'W9', 12)]).ids).toEqual([])
})

test('several are moved and removed by their ids, and found in a box', () => {
  const floor = map(wall('w', 'W1'), dock, room)
  expect(withMoved(floor, ['w', 'd'], 1, 0).map.marks).toMatchObject([
    { points: [p(3, 2), p(3, 4)] },
    { at: { x: 6, y: 5 } },
    { points: room.points },
  ])
  expect(withMoved(floor, ['d'], 9, 0).beyond).toEqual([{ x: 14, y: 5, yaw: 1 }])
  expect(withoutMarks(floor, ['w', 'r']).marks).toEqual([dock])
  expect(marksWithin(floor, { left: 1, right: 5, bottom: 3, top: 6 })).toEqual(['w', 'd'])
})

test('rooms alone are joined', () => {
  expect([areRooms([]), areRooms([room]), areRooms([room, dock]), areRooms([wall('w', '')])]).toEqual([
    false,
    true,
    false,
    false,
  ])
})
