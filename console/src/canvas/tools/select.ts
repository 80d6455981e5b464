/** Select: press a mark to choose it, drag it or one of its points. A press on nothing pans the view. Read-only without
 * `editable`. */
import { isFlag, type Mark, moved, pointsOf, withMark, withPoint } from '../document/document'
import { beyond, overhang, type Point } from '../geometry/geometry'
import { type Hit, hit } from '../geometry/hit'
import type { Editor, Tool } from './tool'

export function select(editor: Editor, editable: (mark: Mark) => boolean = () => false): Tool {
  let grip: (Hit & { readonly from: Point }) | undefined
  const changed = ({ mark, point, from }: Hit & { from: Point }, to: Point): Mark =>
    point === undefined ? moved(mark, to.x - from.x, to.y - from.y) : withPoint(mark, point, to)
  const stop = () => {
    grip = undefined
    editor.draft(undefined)
  }
  return {
    id: 'select',
    cursor: 'default',
    cancel: () => {
      editor.refuse(undefined)
      if (grip) stop()
      else editor.select(undefined)
    },
    down: (at) => {
      const met = hit(editor.map, at, editor.reach, editor.selected)
      editor.refuse(undefined)
      editor.select(met?.mark.id)
      if (!met || !editable(met.mark)) return false
      grip = { ...met, from: at }
      return true
    },
    move: (at) => {
      if (!grip) return
      const now = changed(grip, at)
      editor.draft({ map: withMark(editor.map, now), mark: now.id })
      const points = pointsOf(now)
      const out = beyond(points, editor.map.frame)[0]
      const measure = isFlag(now) ? undefined : overhang(points, editor.map.frame)
      editor.refuse(out && { reason: 'map.beyondEdge', at: out, ...measure })
    },
    up: (at) => {
      if (grip && (at.x !== grip.from.x || at.y !== grip.from.y)) {
        const now = changed(grip, at)
        if (beyond(pointsOf(now), editor.map.frame).length === 0) editor.commit(withMark(editor.map, now))
        else editor.refuse(undefined) // it springs back to where it was, which is allowed
      }
      stop()
    },
  }
}

/** The hand: every press pans. */
export const hand = (): Tool => ({
  id: 'hand',
  cursor: 'grab',
  down: () => false,
  move: () => undefined,
  up: () => undefined,
  cancel: () => undefined,
})
