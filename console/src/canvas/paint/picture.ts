/** A painted picture that is kept while the view only pans: drawn once with a rim round the view, then moved. While the
 * view zooms, a picture that is dear to paint is stretched, and painted anew when the zoom rests. */
import { type Camera, type Size, toScreen } from '../geometry/camera'
import type { Box } from '../geometry/geometry'
import type { Context } from './patterns'

export interface Picture<Key> {
  /** Draws the picture; true: it is stretched for now and wants another draw after `RESTS` ms. `key` is what it shows. */
  draw(onto: Context, key: Key, camera: Camera, view: Size, now: number): boolean
}

export const RESTS = 120 // ms without zoom

export interface PictureOptions<Key> {
  /** Part of the view's width and height that is painted beyond it on each side. */
  readonly rim: number
  /** May it be stretched while zooming? */
  readonly stretch: boolean
  /** The box of the map outside of which two keys show the same: then only that part is painted anew. */
  readonly changed?: (before: Key, now: Key) => Box | undefined
}

/** Paints a view; with a part, what it paints beyond that box of the map is lost. */
export type Paint = (context: Context, camera: Camera, view: Size, part: Box | undefined) => void

const RIM_OF_PART = 4 // px, for the width of lines

export function picture<Key extends readonly unknown[]>(
  paint: Paint,
  { rim, stretch, changed }: PictureOptions<Key>,
): Picture<Key> {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no 2d context')
  let painted: { key: Key; camera: Camera; view: Size; sharp: number } | undefined
  let scale = 0
  let zoomed = -Infinity

  const alike = (a: Key, b: Key) => a.every((part, i) => part === b[i])
  const inView = ({ width, height }: Size, sharp: number) =>
    painted?.sharp === sharp && painted.view.width === width && painted.view.height === height
  const whole = ({ width, height }: Size): Size => ({
    width: Math.ceil(width * (1 + 2 * rim)),
    height: Math.ceil(height * (1 + 2 * rim)),
  })

  const paintAll = (key: Key, camera: Camera, view: Size, sharp: number) => {
    const wide = whole(view)
    const [width, height] = [Math.round(wide.width * sharp), Math.round(wide.height * sharp)]
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
    context.setTransform(sharp, 0, 0, sharp, 0, 0)
    context.clearRect(0, 0, wide.width, wide.height)
    context.save()
    paint(context, camera, wide, undefined)
    context.restore()
    painted = { key, camera, view, sharp }
  }

  const paintPart = (key: Key, part: Box) => {
    if (!painted) return
    const wide = whole(painted.view)
    const from = toScreen(painted.camera, wide, { x: part.left, y: part.top })
    const to = toScreen(painted.camera, wide, { x: part.right, y: part.bottom })
    const [x, y] = [Math.floor(from.x) - RIM_OF_PART, Math.floor(from.y) - RIM_OF_PART]
    const [width, height] = [Math.ceil(to.x) + RIM_OF_PART - x, Math.ceil(to.y) + RIM_OF_PART - y]
    context.save()
    context.beginPath()
    context.rect(x, y, width, height)
    context.clip()
    context.clearRect(x, y, width, height)
    paint(context, painted.camera, wide, part)
    context.restore()
    painted = { ...painted, key }
  }

  return {
    draw(onto, key, camera, view, now) {
      if (view.width === 0 || view.height === 0) return false // a dialog that closes takes its map's room first
      const sharp = sharpness()
      if (camera.scale !== scale) {
        scale = camera.scale
        zoomed = now
      }
      const resting = now - zoomed >= RESTS
      if (painted && inView(view, sharp) && !alike(painted.key, key)) {
        const part = changed?.(painted.key, key)
        if (part) paintPart(key, part)
      }
      const same = painted !== undefined && inView(view, sharp) && alike(painted.key, key)
      const wait = same && stretch && painted?.camera.scale !== scale && !resting
      const off = (axis: 'x' | 'y', length: number) =>
        painted ? (Math.abs(camera[axis] - painted.camera[axis]) * scale) / length : 0
      const within = Math.max(off('x', view.width), off('y', view.height)) <= rim
      if (!wait && !(same && painted?.camera.scale === scale && within)) paintAll(key, camera, view, sharp)
      if (!painted) return false
      const grow = scale / painted.camera.scale
      const sharpEdge = (px: number) => (grow === 1 ? Math.round(px * sharp) / sharp : px) // between px it would blur
      const width = (canvas.width / sharp) * grow
      const height = (canvas.height / sharp) * grow
      const x = view.width / 2 + (painted.camera.x - camera.x) * scale - width / 2
      const y = view.height / 2 - (painted.camera.y - camera.y) * scale - height / 2
      onto.drawImage(canvas, sharpEdge(x), sharpEdge(y), width, height)
      return wait
    },
  }
}

/** Device px of a CSS px; more than 2 costs memory and shows nothing. */
export const sharpness = () => Math.min(window.devicePixelRatio || 1, 2)
