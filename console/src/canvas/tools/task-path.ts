/** A path by hand: press point by point, or hold and draw; it ends on its last point, by a double click or Enter. A new
 * one takes the place of the old. */
import { DRAFT, type Line, newId, withOnly } from '../document/document'
import { beyond, distance, overhang, type Point } from '../geometry/geometry'
import type { Editor, Tool } from './tool'

const STEP = 0.2 // m between the points of a line that is drawn with the button held
const MOST = 2000 // points, as protocol/payloads/tasks.py

export function taskPath(editor: Editor): Tool {
  let points: readonly Point[] = []
  let held = false
  let drawnBy: 'points' | 'hand' = 'points'

  const line = (points: readonly Point[], id: string): Line => ({ id, kind: 'taskPath', name: '', points })
  const show = (to?: Point) => {
    const all = to ? [...points, to] : points
    editor.draft(all.length > 1 ? { map: withOnly(editor.map, line(all, DRAFT)), mark: DRAFT } : undefined)
  }
  const rest = () => {
    points = []
    held = false
    editor.draft(undefined)
  }
  const add = (at: Point) => {
    const over = overhang([at], editor.map.frame)
    if (over || beyond([at], editor.map.frame).length > 0) {
      editor.refuse({ reason: 'map.beyondEdge', at, ...over })
      return
    }
    editor.refuse(undefined)
    if (points.length < MOST) points = [...points, at]
  }
  const finish = () => {
    if (points.length > 1) {
      const drawn = line(points, newId())
      editor.commit(withOnly(editor.map, drawn))
      editor.select(drawn.id)
    }
    rest()
  }
  const near = (a: Point, b: Point | undefined) => b !== undefined && distance(a, b) <= editor.reach
  return {
    id: 'taskPath',
    cursor: 'crosshair',
    cancel: () => {
      editor.refuse(undefined)
      rest()
    },
    down: (at) => {
      held = true
      drawnBy = 'points'
      if (points.length === 0) add(at)
      return true
    },
    move: (at) => {
      const last = points.at(-1)
      if (held && last && distance(last, at) >= STEP && (drawnBy === 'hand' || !near(at, last))) {
        drawnBy = 'hand'
        add(at)
      }
      show(held ? undefined : at)
    },
    up: (at) => {
      held = false
      if (points.length === 0) return
      if (drawnBy === 'hand') return finish()
      if (points.length > 1 && near(at, points.at(-1))) return finish()
      if (!near(at, points.at(-1))) add(at)
      show()
    },
    finish,
  }
}
