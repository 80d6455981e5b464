/** Press where something stands, drag to where it looks. Without a drag it keeps the heading it was given. */
import { DRAFT, freeAt, type Mark, withMark } from '../document/document'
import { beyond, distance, type Point, type Pose } from '../geometry/geometry'
import type { Editor, Tool } from './tool'

const TURN_FROM = 0.15 // m; a shorter drag is no heading

interface Posed {
  readonly id: string
  readonly yaw: number
  /** What it looks like while it is placed. */
  draft(at: Pose): Mark
  placed(at: Pose): void
}

export function posed(editor: Editor, { id, yaw, draft, placed }: Posed): Tool {
  let from: Point | undefined
  const facing = (stands: Point, to: Point): Pose => ({
    ...{ x: stands.x, y: stands.y },
    yaw: distance(stands, to) < TURN_FROM ? yaw : Math.atan2(to.y - stands.y, to.x - stands.x),
  })
  const show = (stands: Point, to: Point) =>
    editor.draft({ map: withMark(editor.map, draft(facing(stands, to))), mark: DRAFT })
  const stop = () => {
    from = undefined
    editor.draft(undefined)
  }
  return {
    id,
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
        from = to
        show(to, to)
      }
      return true
    },
    move: (to) => {
      if (from) show(from, to)
    },
    up: (to) => {
      const stands = from
      stop()
      if (stands) placed(facing(stands, to))
    },
  }
}
