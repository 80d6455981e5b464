/** A polygon in two, along a line that goes across it. */
import { contains, distance, type Point, sides } from './geometry'

interface Crossing extends Point {
  /** The side that is crossed. */
  readonly side: number
  /** How far along the line, 0 to 1. */
  readonly along: number
}

const BESIDE = 1e-9

/** Where a line from a to b crosses the sides of a ring, from a on. */
function crossings(ring: readonly Point[], a: Point, b: Point): readonly Crossing[] {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  return sides(ring)
    .flatMap(([from, to], side): Crossing[] => {
      const [sx, sy] = [to.x - from.x, to.y - from.y]
      const turn = dx * sy - dy * sx
      if (Math.abs(turn) < BESIDE) return [] // it runs along the line
      const along = ((from.x - a.x) * sy - (from.y - a.y) * sx) / turn
      const place = ((from.x - a.x) * dy - (from.y - a.y) * dx) / turn
      if (along < 0 || along > 1 || place < 0 || place >= 1) return []
      return [{ x: a.x + along * dx, y: a.y + along * dy, side, along }]
    })
    .sort((first, second) => first.along - second.along)
}

const middleOf = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

/** The line made longer at both ends: a hand ends it a little before the wall. */
export function lengthened(a: Point, b: Point, by: number): readonly [Point, Point] {
  const share = by / distance(a, b)
  const [dx, dy] = [(b.x - a.x) * share, (b.y - a.y) * share]
  return [
    { x: a.x - dx, y: a.y - dy },
    { x: b.x + dx, y: b.y + dy },
  ]
}

/** Both parts, along the first piece of the line that lies within the ring; undefined where none goes all the way across. */
export function split(
  ring: readonly Point[],
  a: Point,
  b: Point,
): readonly [readonly Point[], readonly Point[]] | undefined {
  const met = crossings(ring, a, b)
  const at = met.findIndex((from, i) => {
    const to = met[i + 1]
    return to !== undefined && contains(ring, middleOf(from, to))
  })
  const [first, second] = [met[at], met[at + 1]]
  if (!first || !second) return undefined
  const [low, high] = first.side < second.side ? [first, second] : [second, first]
  const ends = ({ x, y }: Point): Point => ({ x, y })
  return [
    [ends(low), ...ring.slice(low.side + 1, high.side + 1), ends(high)],
    [ends(high), ...ring.slice(high.side + 1), ...ring.slice(0, low.side + 1), ends(low)],
  ]
}
