/** Area of a task (or a zone): a rectangle by dragging, or a polygon by clicks that ends on its first point, by a double
 * click or Enter. The corners of the selected area can be dragged. Beyond the map's edge it is refused while it is drawn,
 * with the measure, and stays in hand: drag a corner back, or `fit`. */
import { DRAFT, isFlag, isLine, newId, type Polygon, withMark, withOnly } from '../document/document'
import { beyond, clamp, distance, area as m2, middle, overhang, type Point, rectangle } from '../geometry/geometry'
import type { Editor, Tool } from './tool'

const SMALLEST_M2 = 0.25 // as protocol/payloads/tasks.py

type State =
  | { readonly name: 'rest' }
  | { readonly name: 'pressed'; readonly from: Point }
  | { readonly name: 'rectangle'; readonly from: Point }
  | { readonly name: 'clicks'; readonly points: readonly Point[] }
  | { readonly name: 'refused'; readonly points: readonly Point[] }
  | { readonly name: 'corner'; readonly points: readonly Point[]; readonly index: number }

export interface AreaOptions {
  readonly kind?: Polygon['kind']
  readonly name?: () => string
}

export function area(editor: Editor, { kind = 'taskArea', name = () => '' }: AreaOptions = {}): Tool {
  let state: State = { name: 'rest' }
  let base: Polygon | undefined // the area whose corner is dragged; undefined while a new one is drawn
  const polygon = (points: readonly Point[]): Polygon =>
    base ? { ...base, points } : { id: DRAFT, kind, name: '', points }
  const put = kind === 'taskArea' ? withOnly : withMark

  const show = (points: readonly Point[], open = false) => {
    const shape = polygon(points)
    editor.draft({ map: put(editor.map, shape), mark: shape.id, open })
    const over = overhang(points, editor.map.frame)
    const at = beyond(points, editor.map.frame)[0]
    editor.refuse(over && at && { reason: 'map.beyondEdge', at, ...over })
    return over === undefined
  }
  const rest = () => {
    state = { name: 'rest' }
    base = undefined
    editor.draft(undefined)
  }
  const take = (points: readonly Point[]) => {
    if (!show(points)) {
      state = { name: 'refused', points }
    } else if (points.length < 3 || m2(points) < SMALLEST_M2) {
      editor.refuse({ reason: 'task_area_required', at: middle(points) })
      rest()
    } else {
      const drawn = base ? polygon(points) : { ...polygon(points), id: newId(), name: name() }
      editor.commit(put(editor.map, drawn))
      editor.select(drawn.id)
      rest()
    }
  }
  const corner = (points: readonly Point[], index: number, to: Point) => points.map((p, i) => (i === index ? to : p))
  const near = (a: Point, b: Point | undefined) => b !== undefined && distance(a, b) <= editor.reach

  return {
    id: kind,
    cursor: 'crosshair',
    cancel: () => {
      editor.refuse(undefined)
      rest()
    },
    down: (at) => {
      if (state.name === 'clicks') return true
      if (state.name === 'refused') {
        const index = state.points.findIndex((p) => near(at, p))
        if (index >= 0) {
          state = { name: 'corner', points: state.points, index }
          return true
        }
      }
      rest()
      const chosen = editor.map.marks.find((mark) => mark.id === editor.selected && mark.kind === kind)
      if (chosen && !isFlag(chosen) && !isLine(chosen)) {
        const index = chosen.points.findIndex((p) => near(at, p))
        if (index >= 0) {
          base = chosen
          state = { name: 'corner', points: chosen.points, index }
          return true
        }
      }
      if (beyond([at], editor.map.frame).length > 0) {
        editor.refuse({ reason: 'map.beyondEdge', at })
      } else {
        editor.refuse(undefined)
        state = { name: 'pressed', from: at }
      }
      return true
    },
    move: (at) => {
      if (state.name === 'pressed' && !near(at, state.from)) state = { name: 'rectangle', from: state.from }
      if (state.name === 'rectangle') show(rectangle(state.from, at, editor.map.frame))
      else if (state.name === 'clicks') show([...state.points, at], true)
      else if (state.name === 'corner') show(corner(state.points, state.index, at))
    },
    up: (at) => {
      if (state.name === 'rectangle') take(rectangle(state.from, at, editor.map.frame))
      else if (state.name === 'corner') take(corner(state.points, state.index, at))
      else if (state.name === 'pressed') {
        state = { name: 'clicks', points: [state.from] }
        show(state.points, true)
      } else if (state.name === 'clicks') {
        const { points } = state
        if (points.length >= 3 && (near(at, points[0]) || near(at, points.at(-1)))) take(points)
        else if (!near(at, points.at(-1))) {
          state = { name: 'clicks', points: [...points, at] }
          show(state.points, true)
        }
      }
    },
    finish: () => {
      if (state.name === 'clicks') take(state.points)
    },
    fit: () => {
      if (state.name === 'refused') take(state.points.map((p) => clamp(p, editor.map.frame)))
    },
  }
}
