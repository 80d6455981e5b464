/** What part of the map is seen: the map point in the middle of the view and the px of one metre. Map y goes up, screen
 * y down; the map is never turned, so that north stays north and hands learn the floor. */
import { type Box, boxOf, corners, type Frame, type Point } from './geometry'

export interface Camera extends Point {
  /** px (CSS) of one metre */
  readonly scale: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

const SMALLEST_SCALE = 0.5
export const LARGEST_SCALE = 400

const bounded = (scale: number) => Math.min(Math.max(scale, SMALLEST_SCALE), LARGEST_SCALE)

export const toScreen = (camera: Camera, view: Size, at: Point): Point => ({
  x: view.width / 2 + (at.x - camera.x) * camera.scale,
  y: view.height / 2 - (at.y - camera.y) * camera.scale,
})

export const toMap = (camera: Camera, view: Size, at: Point): Point => ({
  x: camera.x + (at.x - view.width / 2) / camera.scale,
  y: camera.y - (at.y - view.height / 2) / camera.scale,
})

/** Moves the picture by so many px. */
export const pan = (camera: Camera, dx: number, dy: number): Camera => ({
  ...camera,
  x: camera.x - dx / camera.scale,
  y: camera.y + dy / camera.scale,
})

/** Zooms by a factor; the map point under `at` (screen) stays where it is. */
export function zoomAt(camera: Camera, view: Size, at: Point, factor: number): Camera {
  const scale = bounded(camera.scale * factor)
  const held = toMap(camera, view, at)
  const zoomed = { ...camera, scale }
  const now = toMap(zoomed, view, at)
  return { scale, x: camera.x + held.x - now.x, y: camera.y + held.y - now.y }
}

/** Shows a box whole, with so many px left free on each side. */
export function fitBox(box: Box, view: Size, padding: number): Camera {
  const free = (length: number) => Math.max(length - 2 * padding, 1)
  const scale = Math.min(
    free(view.width) / Math.max(box.right - box.left, 0.01),
    free(view.height) / Math.max(box.top - box.bottom, 0.01),
  )
  return { x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2, scale: bounded(scale) }
}

export const boxOfFrame = (frame: Frame): Box => boxOf(corners(frame))

/** The map box that a view shows. */
export function seen(camera: Camera, view: Size): Box {
  const across = view.width / 2 / camera.scale
  const up = view.height / 2 / camera.scale
  return { left: camera.x - across, right: camera.x + across, bottom: camera.y - up, top: camera.y + up }
}

/** Round lengths for a scale bar: the longest of 1, 2, 5 … metres that fits into so many px. */
export function scaleBar(scale: number, most: number): { metres: number; px: number } {
  const longest = most / scale
  const ten = 10 ** Math.floor(Math.log10(longest))
  const metres = [5, 2].map((n) => n * ten).find((n) => n <= longest) ?? ten
  return { metres, px: metres * scale }
}
