/** Layers 8 and 15 of LOOK 5: the route ahead and the scan. */
import { type Camera, type Size, toScreen } from '../geometry/camera'
import type { Palette } from '../palette'
import type { Context } from './patterns'

/** The planned route, dashed, from the robot on; what lies behind it is no plan any more. */
export function paintRoute(context: Context, ahead: readonly number[], palette: Palette, camera: Camera, view: Size) {
  if (ahead.length < 4) return
  context.beginPath()
  for (let i = 0; i + 1 < ahead.length; i += 2) {
    const { x, y } = toScreen(camera, view, { x: ahead[i] ?? 0, y: ahead[i + 1] ?? 0 })
    if (i === 0) context.moveTo(x, y)
    else context.lineTo(x, y)
  }
  context.globalAlpha = 0.75
  context.strokeStyle = palette.plan
  context.lineWidth = 1.2
  context.lineJoin = 'round'
  context.setLineDash([4, 4])
  context.stroke()
  context.setLineDash([])
  context.globalAlpha = 1
}

const LONG = 2.7 // px: a dot of radius 1.35 as two crossed bars; 5,000 of them cost 0.5 ms, as discs 10 ms
const SHORT = 1.5

/** All echoes of a scan as one shape. */
export function paintEchoes(context: Context, points: Float32Array, palette: Palette, camera: Camera, view: Size) {
  context.fillStyle = palette.lidar
  for (let i = 0; i + 1 < points.length; i += 2) {
    const x = view.width / 2 + ((points[i] ?? 0) - camera.x) * camera.scale
    const y = view.height / 2 - ((points[i + 1] ?? 0) - camera.y) * camera.scale
    context.fillRect(x - LONG / 2, y - SHORT / 2, LONG, SHORT)
    context.fillRect(x - SHORT / 2, y - LONG / 2, SHORT, LONG)
  }
}
