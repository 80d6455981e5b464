/** Which square of a picture is taken, in the picture's own pixels; it never leaves the picture. */
import type { TextKey } from '@/shared/i18n/text'
export interface Square {
  readonly x: number
  readonly y: number
  readonly side: number
}

interface Size {
  readonly width: number
  readonly height: number
}

export const MOST_ZOOM = 4

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most)

/** The largest one in the middle. */
export function middle({ width, height }: Size): Square {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}

export const moved = ({ width, height }: Size, { x, y, side }: Square, dx: number, dy: number): Square => ({
  x: between(0, x + dx, width - side),
  y: between(0, y + dy, height - side),
  side,
})

/** About its own middle: 1 is the largest square there is. */
export function zoomed(size: Size, { x, y, side }: Square, zoom: number): Square {
  const next = Math.min(size.width, size.height) / between(1, zoom, MOST_ZOOM)
  const shift = (side - next) / 2
  return moved(size, { x: x + shift, y: y + shift, side: next }, 0, 0)
}

export const zoomOf = ({ width, height }: Size, { side }: Square) => Math.min(width, height) / side

const KINDS = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const LARGEST = 2 << 20 // bytes, as the server counts them

export const ACCEPTED = KINDS.join(',')

/** What is wrong with what was chosen; undefined when it may be a picture. */
export function faultOf(files: readonly { type: string; size: number }[]): TextKey<'people'> | undefined {
  const [file] = files
  if (!file) return 'select-picture'
  if (files.length > 1) return 'fault-picture-one'
  if (!KINDS.includes(file.type)) return 'fault-picture-kind'
  return file.size > LARGEST ? 'fault-picture-size' : undefined
}
