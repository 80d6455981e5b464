/** Splits a room: press at one side of a door, let go at the other. The new part gets a name of its own. */
import { DRAFT, isFlag, type Line, newId, type Polygon, withMark } from '../document/document'
import { contains, distance, type Point } from '../geometry/geometry'
import { lengthened, split } from '../geometry/split'
import type { Editor, Tool } from './tool'

const SHORTEST = 0.1 // m; shorter is a slip of the hand
const SHORT_OF_WALL = 0.3 // m

const line = (from: Point, to: Point): Line => ({ id: DRAFT, kind: 'taskPath', name: '', points: [from, to] })

export function splitter(editor: Editor, name: () => string): Tool {
  let from: Point | undefined
  const stop = () => {
    from = undefined
    editor.draft(undefined)
  }
  const cut = (a: Point, b: Point) => {
    const at = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
    const room = editor.map.marks.findLast(
      (mark): mark is Polygon => !isFlag(mark) && mark.kind === 'freeArea' && contains(mark.points, at),
    )
    const parts = room && split(room.points, ...lengthened(a, b, SHORT_OF_WALL))
    if (!room || !parts) return editor.refuse({ reason: 'map.noRoomAcross', at })
    const part: Polygon = { ...room, id: newId(), name: name(), points: parts[1] }
    editor.commit(withMark(withMark(editor.map, { ...room, points: parts[0] }), part))
    editor.select(part.id)
  }
  return {
    id: 'split',
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
    move: (at) => {
      if (from) editor.draft({ map: withMark(editor.map, line(from, at)), mark: DRAFT })
    },
    up: (at) => {
      const begun = from
      stop()
      if (begun && distance(begun, at) >= SHORTEST) cut(begun, at)
    },
  }
}
