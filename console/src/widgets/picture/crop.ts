/** Which part of a picture is taken, in the picture's own pixels; it has one shape and never leaves the picture. */
import type { TextKey } from '@/shared/i18n/text'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Area extends Size {
  readonly x: number
  readonly y: number
}

export const MOST_ZOOM = 4

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most)

/** The largest of that shape that the picture holds. */
function largest(picture: Size, shape: Size): Size {
  const scale = Math.min(picture.width / shape.width, picture.height / shape.height)
  return { width: shape.width * scale, height: shape.height * scale }
}

/** The largest one in the middle. */
export function middle(picture: Size, shape: Size): Area {
  const { width, height } = largest(picture, shape)
  return { x: (picture.width - width) / 2, y: (picture.height - height) / 2, width, height }
}

export const moved = (picture: Size, area: Area, dx: number, dy: number): Area => ({
  ...area,
  x: between(0, area.x + dx, picture.width - area.width),
  y: between(0, area.y + dy, picture.height - area.height),
})

/** About its own middle: 1 is the largest area there is. */
export function zoomed(picture: Size, area: Area, zoom: number): Area {
  const whole = largest(picture, area)
  const scale = between(1, zoom, MOST_ZOOM)
  const [width, height] = [whole.width / scale, whole.height / scale]
  const [x, y] = [area.x + (area.width - width) / 2, area.y + (area.height - height) / 2]
  return moved(picture, { x, y, width, height }, 0, 0)
}

export const zoomOf = (picture: Size, area: Area) => largest(picture, area).width / area.width

const KINDS = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
export const LARGEST = 2 << 20 // bytes, as the server counts them

export const ACCEPTED = KINDS.join(',')

/** What is wrong with what was chosen; undefined when it may be a picture. */
export function faultOf(files: readonly { type: string; size: number }[]): TextKey<'people'> | undefined {
  const [file] = files
  if (!file) return 'select-picture'
  if (files.length > 1) return 'fault-picture-one'
  if (!KINDS.includes(file.type)) return 'fault-picture-kind'
  return file.size > LARGEST ? 'fault-picture-size' : undefined
}
