/**
 * Select: press a mark to choose it, with Shift to choose it as well; drag what is chosen, or a point of the only one. A
 * press on nothing draws a box round what is to be chosen; where nothing may be changed it pans the view.
 */
import { type Mark, pointsOf, withMark, withPoint } from '../document/document'
import { chosenMarks, marksWithin, withMoved } from '../document/selection'
import { type Box, beyond, boxOf, overhang, type Point } from '../geometry/geometry'
import { hit } from '../geometry/hit'
import type { Editor, Refusal, Tool } from './tool'

type State =
  | { readonly name: 'rest' }
  | { readonly name: 'marks'; readonly ids: readonly string[]; readonly pressed: string; readonly from: Point }
  | { readonly name: 'point'; readonly mark: Mark; readonly index: number; readonly from: Point }
  | { readonly name: 'box'; readonly from: Point; readonly before: readonly string[] }

/** `editable`: marks are moved, and several chosen. */
export function select(editor: Editor, editable = false): Tool {
  let state: State = { name: 'rest' }
  const stop = () => {
    state = { name: 'rest' }
    editor.draft(undefined)
    editor.marquee(undefined)
  }
  const refusalOf = (out: Point | undefined, points: readonly Point[]): Refusal | undefined =>
    out && { reason: 'map.beyondEdge', at: out, ...(points.length > 1 && overhang(points, editor.map.frame)) }
  const inBox = ({ from, before }: { from: Point; before: readonly string[] }, to: Point): readonly string[] => {
    const box: Box = boxOf([from, to])
    const within = marksWithin(editor.map, box)
    return [...before.filter((id) => !within.includes(id)), ...within]
  }
  /** What the drag makes of the map, and what of it lies beyond the edge. */
  const dragged = (to: Point) => {
    const { map } = editor
    if (state.name === 'marks') {
      const now = withMoved(map, state.ids, to.x - state.from.x, to.y - state.from.y)
      return {
        ...now,
        mark: state.pressed,
        points: state.ids.length === 1 ? chosenMarks(now.map, state.ids).flatMap(pointsOf) : [],
      }
    }
    if (state.name !== 'point') return undefined
    const now = withPoint(state.mark, state.index, to)
    const points = pointsOf(now)
    return { map: withMark(map, now), mark: now.id, points, beyond: beyond(points, map.frame) }
  }
  const toggled = (id: string) =>
    editor.selection.includes(id) ? editor.selection.filter((other) => other !== id) : [...editor.selection, id]

  return {
    id: 'select',
    cursor: 'default',
    moves: editable,
    cancel: () => {
      editor.refuse(undefined)
      if (state.name === 'rest') editor.select(undefined)
      else stop()
    },
    down: (at, more = false) => {
      const met = hit(editor.map, at, editor.reach, editor.selected)
      editor.refuse(undefined)
      if (!editable) {
        editor.select(met?.mark.id)
        return false
      }
      if (!met) {
        const before = more ? editor.selection : []
        editor.choose(before)
        state = { name: 'box', from: at, before }
      } else if (more) editor.choose(toggled(met.mark.id))
      else if (met.point !== undefined) state = { name: 'point', mark: met.mark, index: met.point, from: at }
      else {
        const ids = editor.selection.includes(met.mark.id) ? editor.selection : [met.mark.id]
        editor.choose(ids)
        state = { name: 'marks', ids, pressed: met.mark.id, from: at }
      }
      return true
    },
    move: (at) => {
      if (state.name === 'box') {
        editor.marquee(boxOf([state.from, at]))
        return editor.choose(inBox(state, at))
      }
      const now = dragged(at)
      if (!now) return
      editor.draft({ map: now.map, mark: now.mark })
      editor.refuse(refusalOf(now.beyond[0], now.points))
    },
    up: (at) => {
      const now = dragged(at)
      const still = state.name === 'rest' || (at.x === state.from.x && at.y === state.from.y)
      if (now && !still) {
        if (now.beyond.length === 0) editor.commit(now.map)
        else editor.refuse(undefined) // it springs back to where it was, which is allowed
      } else if (state.name === 'marks' && still) editor.select(state.pressed)
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
