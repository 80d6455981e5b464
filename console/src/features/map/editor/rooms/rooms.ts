/** Rooms of a map while they are drawn: those that the server found, and several made one. */
import { isFlag, type MapDocument, type Mark, newId, type Polygon, withMark } from '@/canvas/document/document'
import { withoutMarks } from '@/canvas/document/selection'
import { area, contains, distance, type Point } from '@/canvas/geometry/geometry'
import type { Answer } from '@/shared/rpc/contract'

export type Proposal = Answer<'/map/findRooms'>['list'][number]
type Ring = readonly Point[]

export const roomsOf = (marks: readonly Mark[]): readonly Polygon[] =>
  marks.filter((mark): mark is Polygon => !isFlag(mark) && mark.kind === 'freeArea')

/** The lowest free one of Room 1, Room 2 … */
export function freeRoomName(map: MapDocument, numbered: (number: number) => string): string {
  const taken = new Set(map.marks.map(({ name }) => name))
  for (let n = 1; ; n++) if (!taken.has(numbered(n))) return numbered(n)
}

/** The map with the rooms that were found, but those where a room is drawn already. */
export function withProposals(
  map: MapDocument,
  proposals: readonly Proposal[],
  numbered: (number: number) => string,
): { map: MapDocument; ids: readonly string[] } {
  const drawn = roomsOf(map.marks)
  const isDrawn = ({ at: [x, y] }: Proposal) => drawn.some((room) => contains(room.points, { x, y }))
  const ids: string[] = []
  const next = proposals
    .filter((proposal) => !isDrawn(proposal))
    .reduce((so, { points }) => {
      const id = newId()
      ids.push(id)
      const corners = points.map(([x, y]) => ({ x, y }))
      return withMark(so, { id, kind: 'freeArea', name: freeRoomName(so, numbered), points: corners })
    }, map)
  return { map: next, ids }
}

/** One ring that goes into each hole and out again where both are nearest. */
function withCut(ring: Ring, hole: Ring): Ring {
  const pairs = ring.flatMap((a, i) => hole.map((b, j) => ({ i, j, far: distance(a, b) })))
  const { i, j } = pairs.reduce((nearest, pair) => (pair.far < nearest.far ? pair : nearest))
  return [...ring.slice(0, i + 1), ...hole.slice(j), ...hole.slice(0, j + 1), ...ring.slice(i)]
}

/** Several rooms as one with the name of the largest; undefined where they do not all touch. */
export async function merged(map: MapDocument, rooms: readonly Polygon[]): Promise<MapDocument | undefined> {
  const { union } = await import('polyclip-ts')
  const rings = rooms.map(({ points }) => [points.map(({ x, y }): [number, number] => [x, y])])
  const [first, ...others] = rings
  if (!first) return undefined
  const [shape, ...apart] = union(first, ...others)
  if (!shape || apart.length > 0) return undefined
  const open = shape.map((ring) => ring.slice(0, -1).map(([x, y]) => ({ x, y })))
  const [shell = [], ...holes] = open
  const [largest] = rooms.toSorted((a, b) => area(b.points) - area(a.points))
  if (!largest) return undefined
  const smaller = rooms.filter((room) => room !== largest).map(({ id }) => id)
  return withMark(withoutMarks(map, smaller), { ...largest, points: holes.reduce(withCut, shell) })
}
