/** Shapes in the map frame: metres, y up, yaw in radians counter-clockwise from +x (REP 103). The same rules, with the
 * same numbers, as src/lustra/protocol/geometry.py: console, relay and robot refuse alike. */
import { valueAt } from '../raster/raster'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Pose extends Point {
  readonly yaw: number
}

/** Where a grid lies in the map: `origin` is the pose of its lower left corner, `width` and `height` count cells. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly resolution: number
  readonly origin: Pose
}

export interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

const SLACK = 1e-6 // cells; the edge itself belongs to the map

export const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

/** The sides of a closed ring, from its first point on. */
export function sides(ring: readonly Point[]): (readonly [Point, Point])[] {
  const [first, ...rest] = ring
  if (!first) return []
  let from = first
  return [...rest, first].map((to) => {
    const side = [from, to] as const
    from = to
    return side
  })
}

/** Area of a polygon in m², whichever way round it goes (shoelace). */
export function area(ring: readonly Point[]): number {
  let twice = 0
  for (const [a, b] of sides(ring)) {
    twice += a.x * b.y - b.x * a.y
  }
  return Math.abs(twice) / 2
}

/** Column and row, with fractions, of a point. Row 0 is the lowest, as in nav_msgs/OccupancyGrid. */
export function toGrid(at: Point, { origin, resolution }: Frame): Point {
  const dx = at.x - origin.x
  const dy = at.y - origin.y
  const cos = Math.cos(origin.yaw)
  const sin = Math.sin(origin.yaw)
  return { x: (dx * cos + dy * sin) / resolution, y: (dy * cos - dx * sin) / resolution }
}

/** Column and row of the cell that holds a point. */
export function toCell(at: Point, frame: Frame): readonly [column: number, row: number] {
  const { x, y } = toGrid(at, frame)
  return [Math.floor(x), Math.floor(y)]
}

/** The point at a (fractional) column and row; the middle of a cell is at +0.5. */
export function fromCell(column: number, row: number, { origin, resolution }: Frame): Point {
  const along = column * resolution
  const across = row * resolution
  const cos = Math.cos(origin.yaw)
  const sin = Math.sin(origin.yaw)
  return { x: origin.x + along * cos - across * sin, y: origin.y + along * sin + across * cos }
}

const within = (value: number, most: number) => value >= -SLACK && value <= most + SLACK

/** Those of the points that lie beyond the map's edge. */
export function beyond(points: readonly Point[], frame: Frame): Point[] {
  return points.filter((at) => {
    const { x, y } = toGrid(at, frame)
    return !(within(x, frame.width) && within(y, frame.height))
  })
}

/** The nearest point that belongs to the map. */
export function clamp(at: Point, frame: Frame): Point {
  const { x, y } = toGrid(at, frame)
  return fromCell(Math.min(Math.max(x, 0), frame.width), Math.min(Math.max(y, 0), frame.height), frame)
}

/** The four corners of the map, from its origin on, counter-clockwise. */
export const corners = (frame: Frame): Point[] => [
  fromCell(0, 0, frame),
  fromCell(frame.width, 0, frame),
  fromCell(frame.width, frame.height, frame),
  fromCell(0, frame.height, frame),
]

export function boxOf(points: readonly Point[]): Box {
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.bottom = Math.min(box.bottom, y)
    box.top = Math.max(box.top, y)
  }
  return box
}

/** The rectangle between two opposite corners whose sides run along the map's own axes, so that it fits a turned map. */
export function rectangle(a: Point, b: Point, frame: Frame): Point[] {
  const from = toGrid(a, frame)
  const to = toGrid(b, frame)
  return [a, fromCell(to.x, from.y, frame), b, fromCell(from.x, to.y, frame)]
}

/** Part of a ring on the side of a line where `depth` is above 0 (Sutherland-Hodgman, one edge). */
function clip(ring: readonly Point[], depth: (at: Point) => number): Point[] {
  return sides(ring).flatMap(([a, b]) => {
    const from = depth(a)
    const to = depth(b)
    const share = from / (from - to)
    const crossing = { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) }
    return [...(from > 0 ? [a] : []), ...(from > 0 !== to > 0 ? [crossing] : [])]
  })
}

/** Width and height in metres of what a shape has beyond the map, along the map's axes; undefined when it lies inside. */
export function overhang(points: readonly Point[], frame: Frame): { width: number; height: number } | undefined {
  if (beyond(points, frame).length === 0) return undefined
  const ring = points.map((at) => toGrid(at, frame))
  const outside = [
    clip(ring, (p) => -p.x),
    clip(ring, (p) => p.x - frame.width),
    clip(ring, (p) => -p.y),
    clip(ring, (p) => p.y - frame.height),
  ].flat()
  const box = boxOf(outside)
  return { width: (box.right - box.left) * frame.resolution, height: (box.top - box.bottom) * frame.resolution }
}

/** Is the point in the polygon (even-odd rule)? */
export function contains(ring: readonly Point[], at: Point): boolean {
  let odd = false
  for (const [a, b] of sides(ring)) {
    if (a.y > at.y !== b.y > at.y && at.x < ((b.x - a.x) * (at.y - a.y)) / (b.y - a.y) + a.x) odd = !odd
  }
  return odd
}

/** Distance of a point from the stretch between two others. */
export function fromSegment(at: Point, a: Point, b: Point): number {
  const length = (b.x - a.x) ** 2 + (b.y - a.y) ** 2
  const along = length === 0 ? 0 : ((at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y)) / length
  const share = Math.min(Math.max(along, 0), 1)
  return distance(at, { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) })
}

/** Middle of a polygon by its area, where a label stands; of a line, the middle of its points. */
export function middle(points: readonly Point[]): Point {
  let twice = 0
  let x = 0
  let y = 0
  for (const [a, b] of sides(points)) {
    const cross = a.x * b.y - b.x * a.y
    twice += cross
    x += (a.x + b.x) * cross
    y += (a.y + b.y) * cross
  }
  if (Math.abs(twice) > 1e-9) return { x: x / (3 * twice), y: y / (3 * twice) }
  const box = boxOf(points)
  return { x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2 }
}

/** The smallest turn from one heading to another, in (-pi, pi]. */
export function turn(from: number, to: number): number {
  const full = 2 * Math.PI
  const rest = (((to - from) % full) + full) % full
  return rest > Math.PI ? rest - full : rest
}

/** Points of a flat list x0, y0, x1, y1 …, as paths come on the wire. */
export function pairs(flat: readonly number[]): Point[] {
  const points: Point[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) points.push({ x: valueAt(flat, i), y: valueAt(flat, i + 1) })
  return points
}
