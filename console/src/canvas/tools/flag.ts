/** Flag: press where it stands, drag to where it looks. Without a drag it keeps the heading it was given. */
import { DRAFT, type Flag, freeAt, newId, withMark, withOnly } from '../document'
import { beyond, distance, type Point } from '../geometry'
import type { Editor, Tool } from './tool'

const TURN_FROM = 0.15 // m; a shorter drag is no heading

export interface FlagOptions {
  readonly kind: Flag['kind']
  readonly name?: () => string
  readonly yaw?: number
}

export function flag(editor: Editor, { kind, name = () => '', yaw = 0 }: FlagOptions): Tool {
  let at: Point | undefined
  const facing = (to: Point): Flag => {
    const stands = at ?? to
    const heading = distance(stands, to) < TURN_FROM ? yaw : Math.atan2(to.y - stands.y, to.x - stands.x)
    return { id: DRAFT, kind, name: '', at: { x: stands.x, y: stands.y, yaw: heading } }
  }
  const stop = () => {
    at = undefined
    editor.draft(undefined)
  }
  const show = (to: Point) => editor.draft({ map: withMark(editor.map, facing(to)), mark: DRAFT })
  return {
    id: kind,
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
        show(to)
      }
      return true
    },
    move: (to) => {
      if (at) show(to)
    },
    up: (to) => {
      if (at) {
        const placed: Flag = { ...facing(to), id: newId(), name: name() }
        editor.commit(kind === 'startPoint' ? withOnly(editor.map, placed) : withMark(editor.map, placed))
        editor.select(placed.id)
      }
      stop()
    },
  }
}

/** A task has one start point; a new one takes the place of the old. */
export const startPoint = (editor: Editor): Tool => flag(editor, { kind: 'startPoint' })
