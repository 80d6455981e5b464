/** The lanes of a building, faint below all marks: an arrow points where a lane is one-way, people's lanes are dotted. */
import type { LaneGraph } from '../document/lane-graph'
import { type Camera, type Size, toScreen } from '../geometry/camera'
import type { Palette } from '../palette'
import { NEAR } from './ground'
import type { Context } from './patterns'

const FAINT = 0.55
const DOTS = [1.5, 4] // px
const ARROW = 4.5 // px
const ARROWS_FROM = 22 // px of a lane: on a shorter one they would cover it
const ARROW_AT = 0.6 // of its length

export function paintLaneGraph(context: Context, graph: LaneGraph, palette: Palette, camera: Camera, view: Size): void {
  const driven = new Path2D()
  const walked = new Path2D()
  const arrows = new Path2D()
  for (const { start, end, bidirectional, human } of graph.lanes) {
    const [from, to] = [graph.corners[start], graph.corners[end]]
    if (!from || !to) continue
    const [a, b] = [toScreen(camera, view, from), toScreen(camera, view, to)]
    const path = human ? walked : driven
    path.moveTo(a.x, a.y)
    path.lineTo(b.x, b.y)
    const length = Math.hypot(b.x - a.x, b.y - a.y)
    if (bidirectional || human || camera.scale < NEAR || length < ARROWS_FROM) continue
    const [ux, uy] = [((b.x - a.x) / length) * ARROW, ((b.y - a.y) / length) * ARROW]
    const [x, y] = [a.x + (b.x - a.x) * ARROW_AT, a.y + (b.y - a.y) * ARROW_AT]
    arrows.moveTo(x + ux, y + uy)
    arrows.lineTo(x - ux - uy * 0.8, y - uy + ux * 0.8)
    arrows.lineTo(x - ux + uy * 0.8, y - uy - ux * 0.8)
    arrows.closePath()
  }
  context.save()
  context.globalAlpha = FAINT
  context.strokeStyle = context.fillStyle = palette.unreachable
  context.lineWidth = 1.2
  context.stroke(driven)
  context.fill(arrows)
  context.setLineDash(DOTS)
  context.stroke(walked)
  context.restore()
}
