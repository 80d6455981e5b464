/** Virtual wall: press at one end, let go at the other. */
import { DRAFT, type Line, newId, withMark } from '../document/document'
import { beyond, clamp, distance, overhang, type Point } from '../geometry/geometry'
import type { Editor, Tool } from './tool'

const SHORTEST = 0.1 // m; shorter is a slip of the hand

const wall = (from: Point, to: Point, name: string, id: string): Line => ({
  id,
  kind: 'virtualWall',
  name,
  points: [from, to],
})

export function virtualWall(editor: Editor, name: () => string = () => ''): Tool {
  let from: Point | undefined
  const refuse = (at: Point) => {
    const over = from && overhang([from, at], editor.map.frame)
    editor.refuse({ reason: 'map.beyondEdge', at, ...over })
  }
  const stop = () => {
    from = undefined
    editor.draft(undefined)
  }
  const outside = (at: Point) => beyond([at], editor.map.frame).length > 0
  return {
    id: 'virtualWall',
    cursor: 'crosshair',
    cancel: () => {
      editor.refuse(undefined)
      stop()
    },
    down: (at) => {
      if (outside(at)) refuse(at)
      else {
        editor.refuse(undefined)
        from = at
      }
      return true
    },
    move: (at) => {
      if (!from) return
      editor.draft({ map: withMark(editor.map, wall(from, at, '', DRAFT)), mark: DRAFT })
      if (outside(at)) refuse(at)
      else editor.refuse(undefined)
    },
    up: (at) => {
      if (from && outside(at)) refuse(at)
      else if (from && distance(from, at) >= SHORTEST) {
        const drawn = wall(from, clamp(at, editor.map.frame), name(), newId())
        editor.commit(withMark(editor.map, drawn))
        editor.select(drawn.id)
      }
      stop()
    },
  }
}
