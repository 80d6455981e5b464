/** Aim: press a place and drag to where to look, or drag a window. It is sent and forgotten; nothing enters the document. */
import { DRAFT, withMark } from '../document/document'
import { type Box, boxOf, type Point, type Pose, rectangle } from '../geometry/geometry'
import { posed } from './posed'
import type { Editor, Tool } from './tool'

const SMALLEST = 0.5 // m; a smaller window is a slip

/** Where a robot is to go. `yaw`: how it looks without a drag. */
export const aim = (editor: Editor, tell: (pose: Pose) => void, yaw = 0): Tool =>
  posed(editor, {
    id: 'aim',
    yaw,
    draft: (at) => ({ id: DRAFT, kind: 'startPoint', name: '', at }),
    placed: tell,
  })

/** A part of the map, drawn as a rectangle along its axes. */
export function frame(editor: Editor, tell: (box: Box) => void): Tool {
  let from: Point | undefined
  const corners = (from: Point, to: Point) => rectangle(from, to, editor.map.frame)
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
      const shape = { id: DRAFT, kind: 'taskArea', name: '', points: corners(from, to) } as const
      editor.draft({ map: withMark(editor.map, shape), mark: DRAFT })
    },
    up: (to) => {
      if (!from) return
      const box = boxOf(corners(from, to))
      stop()
      if (box.right - box.left < SMALLEST || box.top - box.bottom < SMALLEST)
        editor.refuse({ reason: 'task_area_required', at: to })
      else tell(box)
    },
  }
}
