/** A painted picture that is kept while the view only pans: drawn once with a rim round the view, then moved. While the
 * view zooms, a picture that is dear to paint is stretched, and painted anew when the zoom rests. */
import type { Camera, Size } from '../camera'
import type { Context } from './patterns'

export interface Picture {
  /** Draws the picture; true: it is stretched for now and wants another draw after `RESTS` ms. `key` is what it shows. */
  draw(onto: Context, key: readonly unknown[], camera: Camera, view: Size, now: number): boolean
}

export const RESTS = 120 // ms without zoom

export interface PictureOptions {
  /** Part of the view's width and height that is painted beyond it on each side. */
  readonly rim: number
  /** May it be stretched while zooming? */
  readonly stretch: boolean
}

export function picture(
  paint: (context: Context, camera: Camera, view: Size) => void,
  { rim, stretch }: PictureOptions,
): Picture {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no 2d context')
  let shown: { key: readonly unknown[]; camera: Camera; view: Size; sharp: number } | undefined
  let scale = 0
  let zoomed = -Infinity

  return {
    draw(onto, key, camera, view, now) {
      const sharp = sharpness()
      if (camera.scale !== scale) {
        scale = camera.scale
        zoomed = now
      }
      const same =
        shown !== undefined &&
        shown.sharp === sharp &&
        shown.view.width === view.width &&
        shown.view.height === view.height &&
        shown.key.length === key.length &&
        shown.key.every((part, i) => part === key[i])
      const still = same && shown?.camera.scale === camera.scale
      const off = shown
        ? Math.max(
            Math.abs(camera.x - shown.camera.x) / view.width,
            Math.abs(camera.y - shown.camera.y) / view.height,
          ) * scale
        : 0
      const wait = same && stretch && !still && now - zoomed < RESTS
      if (!wait && !(still && off <= rim)) {
        const wide = { width: Math.ceil(view.width * (1 + 2 * rim)), height: Math.ceil(view.height * (1 + 2 * rim)) }
        const [width, height] = [Math.round(wide.width * sharp), Math.round(wide.height * sharp)]
        if (canvas.width !== width || canvas.height !== height) {
          canvas.width = width
          canvas.height = height
        }
        context.setTransform(sharp, 0, 0, sharp, 0, 0)
        context.clearRect(0, 0, wide.width, wide.height)
        context.save()
        paint(context, camera, wide)
        context.restore()
        shown = { key, camera, view, sharp }
      }
      if (!shown) return false
      const grow = camera.scale / shown.camera.scale
      const whole = (px: number) => (grow === 1 ? Math.round(px * sharp) / sharp : px) // between px it would blur
      const width = (canvas.width / sharp) * grow
      const height = (canvas.height / sharp) * grow
      const x = view.width / 2 + (shown.camera.x - camera.x) * camera.scale - width / 2
      const y = view.height / 2 - (shown.camera.y - camera.y) * camera.scale - height / 2
      onto.drawImage(canvas, whole(x), whole(y), width, height)
      return wait
    },
  }
}

/** Device px of a CSS px; more than 2 costs memory and shows nothing. */
export const sharpness = () => Math.min(window.devicePixelRatio || 1, 2)
