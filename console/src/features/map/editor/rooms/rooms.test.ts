/** Rooms that were found are drawn beside those that are there; several are made one. */
import { expect, test } from 'vitest'
import type { MapDocument, Polygon } from '@/canvas/document/document'
import { area } from '@/canvas/geometry/geometry'
import { merged, type Proposal, roomsOf, withProposals } from './rooms'

type XY = [number, number]
const box = (left: number, bottom: number, right: number, top: number): XY[] => [
  [left, bottom],
  [right, bottom],
  [right, top],
  [left, top],
]
const room = (id: string, name: string, ring: XY[]): Polygon => ({
  ...{ id, kind: 'freeArea', name },
  points: ring.map(([x, y]) => ({ x, y })),
})
const map = (...marks: Polygon[]): MapDocument => ({
  ...{ id: 'm', name: '', revision: 1, grid: undefined, marks },
  frame: { width: 400, height: 400, resolution: 0.05, origin: { x: 0, y: 0, yaw: 0 } },
})
const proposal = (left: number, bottom: number, right: number, top: number): Proposal => ({
  points: box(left, bottom, right, top),
  at: [(left + right) / 2, (bottom + top) / 2],
  area: (right - left) * (top - bottom),
})
const numbered = (number: number) => `Room ${number}`

test('rooms are drawn with numbers that no room has, and none where one is drawn already', () => {
  const lobby = room('l', 'Room 2', box(0, 0, 5, 5))
  const proposals = [proposal(0, 0, 4.9, 5), proposal(5, 0, 9, 5), proposal(0, 5, 9, 9)]
  const { map: now, ids } = withProposals(map(lobby), proposals, numbered)
  expect(now.marks.map(({ name }) => name)).toEqual(['Room 2', 'Room 1', 'Room 3'])
  expect(ids).toEqual(now.marks.slice(1).map(({ id }) => id))
  expect(withProposals(now, proposals, numbered).ids).toEqual([])
})

test('rooms that share an edge become one with the name of the largest', async () => {
  const rooms = [room('a', 'Niche', box(0, 0, 2, 2)), room('b', 'Hall', box(2, 0, 8, 6))]
  const now = await merged(map(...rooms, room('c', 'Office', box(9, 9, 12, 12))), rooms)
  const [hall, office, ...others] = roomsOf(now?.marks ?? [])
  expect([hall?.id, hall?.name, office?.name, others]).toEqual(['b', 'Hall', 'Office', []])
  expect(area(hall?.points ?? [])).toBeCloseTo(40)
})

test('rooms round another one keep it out by a cut', async () => {
  const sides = [box(0, 0, 10, 2), box(0, 8, 10, 10), box(0, 2, 2, 8), box(8, 2, 10, 8)]
  const rooms = sides.map((ring, i) => room(`s${i}`, `Side ${i}`, ring))
  const now = await merged(map(...rooms), rooms)
  const [corridor] = roomsOf(now?.marks ?? [])
  expect(area(corridor?.points ?? [])).toBeCloseTo(64)
})

test('rooms that do not touch stay as they are', async () => {
  const rooms = [room('a', '', box(0, 0, 2, 2)), room('b', '', box(3, 0, 5, 2))]
  expect(await merged(map(...rooms), rooms)).toBeUndefined()
})
