/** Labels and call-outs: LOOK 5 layer 17. */
import type { Point } from '../geometry/geometry'
import type { Palette } from '../palette'
import type { Context } from './patterns'

export interface Label {
  readonly at: Point
  readonly text: string
  /** Said after the text in normal weight, such as an area. */
  readonly detail?: string
  /** Width in metres of what it names: the detail stands only where it fits. */
  readonly room?: number
}

export interface LabelStyle {
  readonly size?: number
  readonly colour?: string
  readonly bold?: boolean
}

const REACH = 0.92 // opacity of the floor-coloured outline

/** A label with its middle at a point of the screen. */
export function paintLabel(
  context: Context,
  at: Point,
  label: Omit<Label, 'at'>,
  palette: Palette,
  style: LabelStyle = {},
) {
  const size = (style.size ?? 12) * palette.scale
  const fonts = [`${style.bold ? 600 : 400} ${size}px ${palette.font}`, `400 ${size}px ${palette.font}`] as const
  const parts = [label.text, label.detail ? ` ${label.detail}` : ''] as const
  const widths = parts.map((part, i) => {
    context.font = fonts[i] ?? fonts[0]
    return context.measureText(part).width
  })
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 3
  context.strokeStyle = palette.floor
  context.fillStyle = style.colour ?? palette.label
  let x = at.x - widths.reduce((sum, width) => sum + width, 0) / 2
  for (const [i, part] of parts.entries()) {
    context.font = fonts[i] ?? fonts[0]
    context.globalAlpha *= REACH
    context.strokeText(part, x, at.y)
    context.globalAlpha /= REACH
    context.fillText(part, x, at.y)
    x += widths[i] ?? 0
  }
}

const LINE_PX = 16
const MOST_UNDER = 2 // lines
const AIR = 8 // px between two labels
const apart = (a: Taken, b: Taken) =>
  Math.abs(a.x - b.x) > (a.width + b.width) / 2 + AIR || Math.abs(a.y - b.y) > LINE_PX

export interface Taken extends Point {
  readonly width: number
}

/** Where a label stands on no other: at its place, or some lines under it. */
export function freePlace(context: Context, at: Point, text: string, palette: Palette, taken: Taken[]): Point {
  context.font = `400 ${12 * palette.scale}px ${palette.font}`
  const { width } = context.measureText(text)
  let place = { ...at, width }
  for (let n = 0; n < MOST_UNDER; n++) {
    const on = taken.find((other) => !apart(place, other))
    if (!on) break
    place = { ...place, y: on.y + LINE_PX + 1 }
  }
  taken.push(place)
  return place
}

/** Labels of rooms: what does not fit, or would lie on another, is left out; the detail first. */
export function paintLabels(
  context: Context,
  labels: readonly Label[],
  place: (at: Point) => Point,
  scale: number,
  palette: Palette,
) {
  const taken: Taken[] = []
  for (const { at, text, detail, room = Infinity } of labels) {
    const width = (part: string, weight: number) => {
      context.font = `${weight} ${12 * palette.scale}px ${palette.font}`
      return context.measureText(part).width
    }
    const name = width(text, detail ? 600 : 400)
    const whole = detail ? name + width(` ${detail}`, 400) : name
    const { x, y } = place(at)
    const fits = (wide: number) => taken.every((other) => apart({ x, y, width: wide }, other))
    const label = detail && whole < room * scale - 8 && fits(whole) ? { text, detail } : { text }
    const wide = 'detail' in label ? whole : name
    if (name > room * scale + AIR || !fits(wide)) continue
    taken.push({ x, y, width: wide })
    paintLabel(context, { x, y }, label, palette, { bold: detail !== undefined })
  }
}

export interface Callout {
  readonly at: Point
  readonly lines: readonly string[]
  readonly tone: 'plain' | 'missed' | 'blocked'
  /** It would hide what it speaks of: under it, where there is room. */
  readonly under?: boolean
}

const LINE = 18
const PAD = 10

/** A box with words, with a line to what it speaks of; it stays inside the view. */
export function paintCallout(
  context: Context,
  target: Point,
  { lines, tone, under = false }: Omit<Callout, 'at'>,
  palette: Palette,
  view: { width: number; height: number },
) {
  const fill = { plain: palette.tip, missed: palette.miss, blocked: palette.block }[tone]
  const ink = tone === 'plain' ? palette.tipText : palette.knock
  const font = (i: number) => `${i === 0 ? 600 : 400} ${12 * palette.scale}px ${palette.font}`
  const widths = lines.map((line, i) => {
    context.font = font(i)
    return context.measureText(line).width
  })
  const width = Math.max(...widths, 0) + 2 * PAD
  const step = LINE * palette.scale
  const height = lines.length * step + 6
  const gap = tone === 'plain' ? 19 : 26
  const held = (value: number, most: number) => Math.min(Math.max(value, 4), Math.max(most, 4))
  const x = held(tone === 'plain' ? target.x - width / 2 : target.x + gap, view.width - width - 4)
  const above = target.y - gap - height
  const below = target.y + gap
  const fits = below + height + 4 <= view.height
  const y = above >= 4 && !(under && fits) ? above : held(below, view.height - height - 4)
  if (tone !== 'plain') {
    context.strokeStyle = fill
    context.lineWidth = 1.5
    context.beginPath()
    context.moveTo(target.x, target.y)
    context.lineTo(x + 6, y + height / 2)
    context.stroke()
  }
  context.fillStyle = fill
  context.beginPath()
  context.roundRect(x, y, width, height, 6)
  context.fill()
  context.fillStyle = ink
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  for (const [i, line] of lines.entries()) {
    context.font = font(i)
    context.fillText(line, x + PAD, y + 3 + step * (i + 0.5))
  }
}
