/** Rooms are chosen by a place in them, and cleaned by tasks that the robot keeps, old or new. */
import { expect, test } from 'vitest'
import type { MapDocument, Polygon } from '@/canvas/document/document'
import { contains } from '@/canvas/geometry/geometry'
import { type RobotTask, USUAL } from './robot-task'
import { cornersOf, freeName, roomAt, roomsOf, startsIn, tasksFor, withRooms } from './rooms'

const box = (name: string, x: number, y: number, side: number): Polygon => ({
  ...{ id: name, kind: 'freeArea', name },
  points: [
    { x, y },
    { x: x + side, y },
    { x: x + side, y: y + side },
    { x, y: y + side },
  ],
})
const hall = box('Hall', 0, 0, 10)
const niche = box('Niche', 1, 1, 2)
const FLOOR: MapDocument = {
  ...{ id: '1', name: 'Ground', revision: 1, grid: undefined },
  frame: { width: 200, height: 200, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
  marks: [hall, niche, box('', 12, 12, 2), { ...box('Stairs', 15, 15, 2), kind: 'forbiddenZone' }],
}
const task = (of: Polygon, change: Partial<RobotTask> = {}) =>
  ({ ...USUAL, name: `Clean ${of.name}`, areas: [{ points: cornersOf(of.points) }], ...change }) as RobotTask

test('rooms are the free areas that have a name', () => {
  expect(roomsOf(FLOOR).map(({ name }) => name)).toEqual(['Hall', 'Niche'])
  expect(roomsOf(undefined)).toEqual([])
})

test('a place is in the smallest room that holds it', () => {
  expect(roomAt(FLOOR, { x: 2, y: 2 })).toBe(niche)
  expect(roomAt(FLOOR, { x: 8, y: 8 })).toBe(hall)
  expect(roomAt(FLOOR, { x: 16, y: 16 })).toBeUndefined()
})

test('chosen rooms are drawn as what will be cleaned, several with their place in the sequence', () => {
  expect(withRooms(FLOOR, [])).toBe(FLOOR)
  const areas = (map: MapDocument) => map.marks.filter(({ kind }) => kind === 'taskArea').length
  const names = (map: MapDocument) => roomsOf(map).map(({ name }) => name)
  expect([areas(withRooms(FLOOR, ['Hall'])), names(withRooms(FLOOR, ['Hall']))]).toEqual([1, ['Hall', 'Niche']])
  const both = withRooms(FLOOR, ['Niche', 'Hall'])
  expect([areas(both), names(both)]).toEqual([2, ['1 · Niche', '2 · Hall']])
})

test('a robot begins within the room, in its middle if it can', () => {
  const starts = startsIn(hall.points)
  expect(starts[0]).toEqual([5, 5])
  expect(starts.every(([x, y]) => contains(hall.points, { x, y }))).toBe(true)
  const angle = [0, 10].flatMap((x) => [{ x, y: x }]) // no area: no place in it
  expect(startsIn(angle)).toEqual([])
})

test('a task that the robot keeps of this room and manner is used, else a new one is named like the room', () => {
  const old = task(hall)
  expect(tasksFor([hall, niche], [old], USUAL)).toMatchObject([
    { name: 'Clean Hall', known: true },
    { name: 'Niche', known: false, corners: cornersOf(niche.points) },
  ])
  expect(tasksFor([hall], [task(hall, { clean_mode: 'quiet' })], USUAL)[0]?.known).toBe(false)
  expect(tasksFor([hall], [task(niche, { name: 'Hall' })], USUAL)).toMatchObject([{ name: 'Hall 2', known: false }])
  expect(tasksFor([hall], [{ ...old, areas: [] }], USUAL)[0]?.known).toBe(false)
})

test('two rooms of one name get tasks of two names, none too long for the robot', () => {
  expect(tasksFor([niche, { ...hall, name: 'Niche' }], [], USUAL).map(({ name }) => name)).toEqual(['Niche', 'Niche 2'])
  const long = 'x'.repeat(64)
  expect(freeName(long, new Set([long]))).toBe(`${'x'.repeat(62)} 2`)
})
