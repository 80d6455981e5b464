/** What is done with several marks at once. Each makes a new document, so that one step takes it back. */
import { type Box, beyond, type Point } from '../geometry/geometry'
import { isFlag, type MapDocument, type Mark, moved, newId, pointsOf } from './document'

const BESIDE = 0.5 // m from where it was copied
const PLACES: readonly Point[] = [
  { x: BESIDE, y: -BESIDE },
  { x: -BESIDE, y: -BESIDE },
  { x: BESIDE, y: BESIDE },
  { x: -BESIDE, y: BESIDE },
  { x: 0, y: 0 },
]

export const chosenMarks = (map: MapDocument, ids: readonly string[]): readonly Mark[] =>
  map.marks.filter((mark) => ids.includes(mark.id))

export const withoutMarks = (map: MapDocument, ids: readonly string[]): MapDocument => ({
  ...map,
  marks: map.marks.filter((mark) => !ids.includes(mark.id)),
})

/** The map with these marks moved by so many metres, and the points of it that lie beyond the edge then. */
export function withMoved(map: MapDocument, ids: readonly string[], dx: number, dy: number) {
  const marks = map.marks.map((mark) => (ids.includes(mark.id) ? moved(mark, dx, dy) : mark))
  const now = { ...map, marks }
  return { map: now, beyond: beyond(chosenMarks(now, ids).flatMap(pointsOf), map.frame) }
}

/** Ids of the marks that have a point within a box. */
export const marksWithin = (map: MapDocument, { left, right, bottom, top }: Box): readonly string[] =>
  map.marks
    .filter((mark) => pointsOf(mark).some(({ x, y }) => x >= left && x <= right && y >= bottom && y <= top))
    .map(({ id }) => id)

/** The name with the lowest number that nothing on the map has: W1 becomes W2, Ballroom becomes Ballroom 2. */
function freeName(taken: ReadonlySet<string>, name: string): string {
  if (name === '' || !taken.has(name)) return name
  const stem = name.replace(/\d+$/, '')
  const gap = stem === name ? ' ' : ''
  for (let n = 2; ; n++) if (!taken.has(`${stem}${gap}${n}`)) return `${stem}${gap}${n}`
}

/** The map with copies of these marks beside where they stood, as long as they fit, and the copies' ids. */
export function withCopies(map: MapDocument, marks: readonly Mark[]): { map: MapDocument; ids: readonly string[] } {
  const points = marks.flatMap(pointsOf)
  const free = PLACES.find(({ x: dx, y: dy }) => {
    const shifted = points.map(({ x, y }) => ({ x: x + dx, y: y + dy }))
    return beyond(shifted, map.frame).length === 0
  })
  if (!free) return { map, ids: [] }
  const taken = new Set(map.marks.map(({ name }) => name))
  const copies = marks.map((mark) => {
    const name = freeName(taken, mark.name)
    taken.add(name)
    return { ...moved(mark, free.x, free.y), id: newId(), name }
  })
  return { map: { ...map, marks: [...map.marks, ...copies] }, ids: copies.map(({ id }) => id) }
}

/** Whether all of them are rooms, which alone are joined and split. */
export const areRooms = (marks: readonly Mark[]): boolean =>
  marks.length > 0 && marks.every((mark) => !isFlag(mark) && mark.kind === 'freeArea')
