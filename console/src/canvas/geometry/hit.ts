/** What lies under a point of the map: the last drawn first, points before lines before areas. Free of DOM. */
import { isFlag, isLine, type MapDocument, type Mark } from '../document/document'
import { contains, distance, fromSegment, type Point, sides } from './geometry'

export interface Hit {
  readonly mark: Mark
  /** Index of the point that was met; undefined for the body. */
  readonly point?: number
}

/** Distance from a line, or from the rim of a polygon: that has a side more. */
const along = (points: readonly Point[], at: Point, closed: boolean): number => {
  const lines = closed ? sides(points) : sides(points).slice(0, -1)
  return Math.min(...lines.map(([a, b]) => fromSegment(at, a, b)))
}

function over(mark: Mark, at: Point, reach: number): boolean {
  if (isFlag(mark)) return distance(mark.at, at) <= reach
  if (isLine(mark)) return along(mark.points, at, false) <= Math.max(reach, (mark.width ?? 0) / 2)
  return contains(mark.points, at) || along(mark.points, at, true) <= reach / 2
}

/** `reach` is half the hit width (LOOK 5: 24 px) in metres. Points are met only on the selected mark. */
export function hit(map: MapDocument, at: Point, reach: number, selected?: string): Hit | undefined {
  const chosen = map.marks.find((mark) => mark.id === selected)
  if (chosen && !isFlag(chosen)) {
    const point = chosen.points.findIndex((p) => distance(p, at) <= reach)
    if (point >= 0) return { mark: chosen, point }
  }
  const met = map.marks.filter((mark) => over(mark, at, reach))
  const rank = (mark: Mark) => (isFlag(mark) ? 2 : isLine(mark) ? 1 : 0)
  const best = met.reduceRight<Mark | undefined>(
    (top, mark) => (top && rank(top) >= rank(mark) ? top : mark),
    undefined,
  )
  return best && { mark: best }
}
