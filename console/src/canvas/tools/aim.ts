/** Aim: press a place and drag to where to look, or drag a window. It is told and forgotten; nothing enters the document. */
import { DRAFT, freeAt, withMark } from '../document'
import { type Box, beyond, boxOf, distance, type Point, type Pose, rectangle } from '../geometry'
import type { Editor, Tool } from './tool'

const TURN_FROM = 0.15 // m; a shorter drag is no heading
const SMALLEST = 0.5 // m; a smaller window is a slip

/** Where a robot is to go. `yaw`: how it looks without a drag. */
export function aim(editor: Editor, tell: (pose: Pose) => void, yaw = 0): Tool {
  let at: Point | undefined
  const facing = (from: Point, to: Point): Pose => ({
    ...{ x: from.x, y: from.y },
    yaw: distance(from, to) < TURN_FROM ? yaw : Math.atan2(to.y - from.y, to.x - from.x),
  })
  const show = (from: Point, to: Point) =>
    editor.draft({
      map: withMark(editor.map, { id: DRAFT, kind: 'startPoint', name: '', at: facing(from, to) }),
      mark: DRAFT,
    })
  const stop = () => {
    at = undefined
    editor.draft(undefined)
  }
  return {
    id: 'aim',
    cursor: 'crosshair',
    cancel: () => {
      editor.refuse(undefined)
      stop()
    },
    down: (to) => {
      if (beyond([to], editor.map.frame).length > 0) editor.refuse({ reason: 'map.beyondEdge', at: to })
      else if (!freeAt(editor.map, to)) editor.refuse({ reason: 'map.notFree', at: to })
      else {
        editor.refuse(undefined)
        at = to
        show(to, to)
      }
      return true
    },
    move: (to) => {
      if (at) show(at, to)
    },
    up: (to) => {
      const from = at
      stop()
      if (from) tell(facing(from, to))
    },
  }
}

/** A part of the map, drawn as a rectangle along its axes. */
export function frame(editor: Editor, tell: (box: Box) => void): Tool {
  let from: Point | undefined
  const corners = (to: Point) => (from ? rectangle(from, to, editor.map.frame) : [])
  const stop = () => {
    from = undefined
    editor.draft(undefined)
  }
  return {
    id: 'frame',
    cursor: 'crosshair',
    cancel: () => {
      editor.refuse(undefined)
      stop()
    },
    down: (at) => {
      editor.refuse(undefined)
      from = at
      return true
    },
    move: (to) => {
      if (!from) return
      const shape = { id: DRAFT, kind: 'taskArea', name: '', points: corners(to) } as const
      editor.draft({ map: withMark(editor.map, shape), mark: DRAFT })
    },
    up: (to) => {
      if (!from) return
      const box = boxOf(corners(to))
      stop()
      if (box.right - box.left < SMALLEST || box.top - box.bottom < SMALLEST)
        editor.refuse({ reason: 'task_area_required', at: to })
      else tell(box)
    },
  }
}
