/** Small floors for cards and the status page, and the still picture of a report: no listeners, no frames of their own.
 * Outlines are kept with the grid's tiles, so many floors on one page cost little. */

import { contentBox, type MapDocument } from './document/document'
import { boxOfFrame, type Camera, fitBox, type Size, toScreen } from './geometry/camera'
import type { Point } from './geometry/geometry'
import { dimmed } from './live'
import { type Ground, NEAR, paintGround, paintWay } from './paint/ground'
import { paintEchoes } from './paint/live'
import { paintMarks } from './paint/marks'
import { sharpness } from './paint/picture'
import { paintRobot } from './paint/robot'
import { type Callout, type Label, paintCallout, paintLabel } from './paint/text'
import type { Mode, Palette } from './palette'

interface TileRobot extends Point {
  readonly mode: Mode
  readonly yaw: number
  readonly uncertainty?: number
  readonly ageMs?: number
  readonly main?: boolean
}

export interface TileOptions extends Omit<Ground, 'map' | 'metres'> {
  readonly document: MapDocument
  readonly palette: Palette
  readonly robots?: readonly TileRobot[]
  /** px left free round the floor */
  readonly padding?: number
}

function prepare(canvas: HTMLCanvasElement, map: MapDocument, padding: number, alpha = false) {
  const view: Size = { width: canvas.clientWidth || canvas.width, height: canvas.clientHeight || canvas.height }
  const sharp = sharpness()
  const [width, height] = [Math.round(view.width * sharp), Math.round(view.height * sharp)]
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  const context = canvas.getContext('2d', { alpha })
  if (!context) throw new Error('no 2d context')
  context.setTransform(sharp, 0, 0, sharp, 0, 0)
  return { context, view, camera: fitBox(contentBox(map) ?? boxOfFrame(map.frame), view, padding) }
}

/** A floor on a card: floor, cleaned, walls, robots; never lidar, never labels. */
export function renderTile(canvas: HTMLCanvasElement, options: TileOptions): Camera {
  const { document: map, palette, robots = [], padding = 10 } = options
  const { context, view, camera } = prepare(canvas, map, padding)
  paintGround(context, { ...options, map }, palette, camera, view)
  for (const robot of robots) {
    const { mode, yaw, uncertainty = 0, ageMs = 0, main = false } = robot
    const look = { mode, yaw, uncertainty, main, alpha: dimmed(mode, ageMs) }
    paintRobot(context, toScreen(camera, view, robot), look, camera.scale, palette)
  }
  return camera
}

export interface StillOptions extends TileOptions {
  readonly labels?: readonly Label[]
  readonly callouts?: readonly Callout[]
}

const STILL_PADDING = 24 // px

/** The picture of a run: what was cleaned, missed, blocked and could not be reached, with the map's marks. */
export function renderStill(canvas: HTMLCanvasElement, options: StillOptions): Camera {
  const { document: map, palette, padding = STILL_PADDING, labels = [], callouts = [] } = options
  const { context, view, camera } = prepare(canvas, map, padding)
  paintGround(context, { ...options, map }, palette, camera, view)
  const layers = { marks: true, flags: true, labels: camera.scale >= NEAR }
  const look = { selection: [], handles: false, layers, length: String, closed: String, private: String }
  paintMarks({ context, palette, camera, view }, map, look)
  for (const { at, ...label } of labels) paintLabel(context, toScreen(camera, view, at), label, palette, { bold: true })
  for (const robot of options.robots ?? []) {
    const { mode, yaw, uncertainty = 0, main = false } = robot
    paintRobot(
      context,
      toScreen(camera, view, robot),
      { mode, yaw, uncertainty, main, alpha: 1 },
      camera.scale,
      palette,
    )
  }
  for (const { at, ...callout } of callouts) paintCallout(context, toScreen(camera, view, at), callout, palette, view)
  return camera
}

export interface WayOptions extends Pick<TileOptions, 'document' | 'palette'> {
  readonly driven: readonly number[]
  readonly robot: TileRobot
  /** What the lidar saw there: flat x0, y0, x1, y1 … in the map. */
  readonly echoes?: Float32Array | undefined
}

/** What lies over the picture of a run while it is replayed: the way so far, and the robot at its end. */
export function renderWay(canvas: HTMLCanvasElement, { document: map, palette, driven, robot, echoes }: WayOptions) {
  const { context, view, camera } = prepare(canvas, map, STILL_PADDING, true)
  context.clearRect(0, 0, view.width, view.height)
  paintWay(context, driven, palette, camera, view)
  if (echoes) paintEchoes(context, echoes, palette, camera, view)
  const { mode, yaw, uncertainty = 0, main = false } = robot
  const look = { mode, yaw, uncertainty, main, alpha: 1 }
  paintRobot(context, toScreen(camera, view, robot), look, camera.scale, palette)
}
