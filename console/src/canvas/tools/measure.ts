/** Measure: drag from one point to another; the length stays until the next press. Nothing of it enters the document. */
import { distance, type Point } from '../geometry/geometry'
import type { Tool } from './tool'

export interface Measure {
  readonly from: Point
  readonly to: Point
  readonly metres: number
}

export function measure(show: (measure: Measure | undefined) => void): Tool {
  let from: Point | undefined
  const span = (to: Point) => {
    if (from) show({ from, to, metres: distance(from, to) })
  }
  return {
    id: 'measure',
    cursor: 'crosshair',
    down: (at) => {
      from = at
      show(undefined)
      return true
    },
    move: span,
    up: (at) => {
      span(at)
      from = undefined
    },
    cancel: () => {
      from = undefined
      show(undefined)
    },
  }
}
