/** The map that is shown and edited: plain data in metres, map frame. Every change is a new document. */
import { type Box, boxOf, type Frame, fromCell, fromSegment, type Point, type Pose, toCell } from '../geometry/geometry'
import { cellAt, FREE, knownEnds, type Raster } from '../raster/raster'
import type { Hours } from './hours'
import type { LaneGraph } from './lane-graph'

/** Marks are vectors above the grid, never burnt into it. */
export interface Line {
  readonly id: string
  readonly kind: 'virtualWall' | 'eraser' | 'taskPath'
  readonly name: string
  readonly points: readonly Point[]
  /** Of an eraser's stroke, in metres. */
  readonly width?: number
}

/** A closed polygon; the last point is not repeated. */
export interface Polygon {
  readonly id: string
  readonly kind: 'forbiddenZone' | 'freeArea' | 'taskArea'
  readonly name: string
  readonly points: readonly Point[]
  readonly hours?: Hours
  /** No camera sends pictures in it. */
  readonly private?: true
}

export interface Flag {
  readonly id: string
  readonly kind: 'charging' | 'stop' | 'elevator' | 'other' | 'startPoint'
  readonly name: string
  readonly at: Pose
}

export type Mark = Line | Polygon | Flag
export type MarkKind = Mark['kind']

export interface MapDocument {
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly frame: Frame
  /** Undefined until the picture has come. */
  readonly grid: Raster | undefined
  readonly marks: readonly Mark[]
  /** In which no task runs. */
  readonly hours?: Hours
  readonly laneGraph?: LaneGraph
}

export const DRAFT = 'draft'

export const newId = (): string => crypto.randomUUID()

export const isFlag = (mark: Mark): mark is Flag => 'at' in mark
const LINES: readonly MarkKind[] = ['virtualWall', 'eraser', 'taskPath']

export const isLine = (mark: Mark): mark is Line => LINES.includes(mark.kind)

export const isPrivate = (mark: Mark): boolean => 'private' in mark && mark.private === true

/** The same element, in which cameras send pictures or none. */
export function withPrivacy(of: Polygon, hidden: boolean): Polygon {
  const { private: _, ...rest } = of
  return hidden ? { ...rest, private: true } : rest
}

/** The points that a mark may be dragged by. */
export const pointsOf = (mark: Mark): readonly Point[] => (isFlag(mark) ? [mark.at] : mark.points)

export const markById = (map: MapDocument, id: string): Mark | undefined => map.marks.find((mark) => mark.id === id)

/** The map with this mark, in the place of the one with the same id. */
export const withMark = (map: MapDocument, mark: Mark): MapDocument => ({
  ...map,
  marks: markById(map, mark.id) ? map.marks.map((m) => (m.id === mark.id ? mark : m)) : [...map.marks, mark],
})

export const withoutMark = (map: MapDocument, id: string): MapDocument => ({
  ...map,
  marks: map.marks.filter((mark) => mark.id !== id),
})

/** The map with this mark as the only one of its kind (a task has one area and one start point). */
export const withOnly = (map: MapDocument, mark: Mark): MapDocument => ({
  ...map,
  marks: [...map.marks.filter((m) => m.kind !== mark.kind), mark],
})

/** The mark moved by so many metres. */
export function moved(mark: Mark, dx: number, dy: number): Mark {
  const shift = <T extends Point>(at: T): T => ({ ...at, x: at.x + dx, y: at.y + dy })
  return isFlag(mark) ? { ...mark, at: shift(mark.at) } : { ...mark, points: mark.points.map(shift) }
}

/** The mark with one of its points put elsewhere. */
export function withPoint(mark: Mark, index: number, to: Point): Mark {
  if (isFlag(mark)) return { ...mark, at: { ...to, yaw: mark.at.yaw } }
  return { ...mark, points: mark.points.map((at, i) => (i === index ? { x: to.x, y: to.y } : at)) }
}

/** Is there floor that is free at this point, by the picture or because somebody erased what stands there? True while
 * the picture has not come: then nobody knows. As domains/map/rules.py. */
export function freeAt(map: MapDocument, at: Point): boolean {
  if (!map.grid) return true
  const [column, row] = toCell(at, map.frame)
  const inner = (cell: number, count: number) => (cell === count ? cell - 1 : cell) // the edge belongs to the map
  const cell = cellAt(map.grid, inner(column, map.frame.width), inner(row, map.frame.height))
  return cell === FREE || map.marks.some((mark) => erases(mark, at))
}

const erases = (mark: Mark, at: Point): boolean =>
  mark.kind === 'eraser' &&
  mark.points.some((to, i) => fromSegment(at, mark.points[i - 1] ?? to, to) <= (mark.width ?? 0) / 2)

const boxes = new WeakMap<Raster, Box>()

/** What is worth seeing of a map: the box round all cells that are known. Pictures of maps often have wide unknown rims. */
export function contentBox(map: MapDocument): Box | undefined {
  const { grid, frame } = map
  if (!grid) return undefined
  const known = boxes.get(grid)
  if (known) return known
  const ends = knownEnds(grid)
  if (!ends) return undefined
  const [left, bottom, right, top] = ends
  const box = boxOf([
    fromCell(left, bottom, frame),
    fromCell(right, bottom, frame),
    fromCell(right, top, frame),
    fromCell(left, top, frame),
  ])
  boxes.set(grid, box)
  return box
}
