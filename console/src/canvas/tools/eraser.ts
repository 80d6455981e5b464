/** Eraser: a stroke by hand over what the lidar saw and is not there. It stays a vector; the grid is never burnt. */
import { DRAFT, type Line, newId, withMark } from '../document/document'
import { ERASER } from '../document/to-row'
import { beyond, distance, fromSegment, type Point } from '../geometry/geometry'
import type { Editor, Tool } from './tool'

const STEP = 0.1 // m between points of the stroke
const SLACK = 0.03 // m that a stroke is straightened by
const SHORTEST = 0.1 // m; shorter is a slip of the hand
const MOST = 400 // points, below what the wire takes

/** Without the points that a straight line tells as well (Douglas and Peucker). */
export function straightened(points: readonly Point[], slack: number): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 3) return points
  let [far, at] = [0, 0]
  for (const [i, p] of points.entries()) {
    const off = fromSegment(p, first, last)
    if (off > far) [far, at] = [off, i]
  }
  if (far <= slack) return [first, last]
  return [...straightened(points.slice(0, at + 1), slack).slice(0, -1), ...straightened(points.slice(at), slack)]
}

export function eraser(editor: Editor, name: () => string = () => ''): Tool {
  let points: readonly Point[] = []
  const stroke = (id: string): Line => ({ id, kind: 'eraser', name: '', points, width: ERASER })
  const outside = (at: Point) => beyond([at], editor.map.frame).length > 0
  const stop = () => {
    points = []
    editor.draft(undefined)
  }
  return {
    id: 'eraser',
    cursor: 'crosshair',
    cancel: () => {
      editor.refuse(undefined)
      stop()
    },
    down: (at) => {
      if (outside(at)) editor.refuse({ reason: 'map.beyondEdge', at })
      else {
        editor.refuse(undefined)
        points = [at]
      }
      return true
    },
    move: (at) => {
      const before = points.at(-1)
      if (!before || distance(before, at) < STEP || points.length >= MOST) return
      if (outside(at)) {
        editor.refuse({ reason: 'map.beyondEdge', at }) // the stroke waits at the edge
        return
      }
      editor.refuse(undefined)
      points = [...points, at]
      editor.draft({ map: withMark(editor.map, stroke(DRAFT)), mark: DRAFT })
    },
    up: () => {
      const [first, last] = [points[0], points.at(-1)]
      if (first && last && points.length > 1 && distance(first, last) + (points.length - 2) * STEP >= SHORTEST) {
        const drawn = { ...stroke(newId()), name: name(), points: straightened(points, SLACK) }
        editor.commit(withMark(editor.map, drawn))
        editor.select(drawn.id)
      }
      stop()
    },
  }
}
