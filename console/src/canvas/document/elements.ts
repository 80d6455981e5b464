/** The marks of a map as data for a list that keyboard and screen reader can use: a canvas tells them nothing. */

import { area, distance, middle, type Point } from '../geometry/geometry'
import { isFlag, isLine, type MapDocument, type MarkKind } from './document'

export interface Element {
  readonly id: string
  readonly kind: MarkKind
  readonly name: string
  readonly at: Point
  readonly m2?: number
  readonly metres?: number
}

export function elements(map: MapDocument): Element[] {
  return map.marks.map((mark): Element => {
    const { id, kind, name } = mark
    if (isFlag(mark)) return { id, kind, name, at: mark.at }
    const at = middle(mark.points)
    if (!isLine(mark)) return { id, kind, name, at, m2: area(mark.points) }
    const metres = mark.points.reduce((sum, p, i) => sum + distance(p, mark.points[i - 1] ?? p), 0)
    return { id, kind, name, at, metres }
  })
}
