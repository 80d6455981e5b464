/** Marks of the map, LOOK 5 layers 11 to 14, and what is being drawn. Vectors only; px are screen px. */

import { type Flag, isFlag, isLine, type Line, type MapDocument, type Mark, type Polygon } from '../document/document'
import { sayHours } from '../document/hours'
import { type Camera, type Size, toScreen } from '../geometry/camera'
import { corners, distance, type Frame, middle, type Point } from '../geometry/geometry'
import type { Layers } from '../layers'
import type { Palette } from '../palette'
import { NEAR, NEARER } from './ground'
import { type Context, patternsOf } from './patterns'
import { freePlace, paintLabel, type Taken } from './text'

export interface Pencil {
  readonly context: Context
  readonly palette: Palette
  readonly camera: Camera
  readonly view: Size
}

const POST = 3.6
const POST_SELECTED = 5.5
const HANDLE = 6.5

function trace({ camera, view }: Pencil, points: readonly Point[], closed: boolean): Path2D {
  const path = new Path2D()
  for (const [i, point] of points.entries()) {
    const { x, y } = toScreen(camera, view, point)
    if (i === 0) path.moveTo(x, y)
    else path.lineTo(x, y)
  }
  if (closed) path.closePath()
  return path
}

function dot(context: Context, { x, y }: Point, radius: number, fill: string, line: string, width: number) {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fillStyle = fill
  context.fill()
  context.strokeStyle = line
  context.lineWidth = width
  context.stroke()
}

function virtualWall(pencil: Pencil, points: readonly Point[], selected: boolean) {
  const { context, palette, camera, view } = pencil
  const path = trace(pencil, points, false)
  context.lineCap = 'butt'
  context.strokeStyle = palette.zone
  context.lineWidth = 3.2
  context.stroke(path)
  context.strokeStyle = palette.floor
  context.lineWidth = 1
  context.setLineDash([4, 4])
  context.stroke(path)
  context.setLineDash([])
  for (const point of points) {
    dot(context, toScreen(camera, view, point), selected ? POST_SELECTED : POST, palette.floor, palette.zone, 2)
  }
}

/** The way that somebody has drawn, from its first point on. */
function taskPath(pencil: Pencil, points: readonly Point[]) {
  const { context, palette, camera, view } = pencil
  context.save()
  context.lineCap = context.lineJoin = 'round'
  context.strokeStyle = palette.plan
  context.lineWidth = 2.4
  context.stroke(trace(pencil, points, false))
  context.restore()
  const [first] = points
  if (first) dot(context, toScreen(camera, view, first), POST_SELECTED, palette.floor, palette.plan, 2.4)
}

/** A grey band as wide as the stroke is in metres. */
function eraser(pencil: Pencil, mark: Line, selected: boolean) {
  const { context, palette, camera } = pencil
  context.save()
  context.lineCap = context.lineJoin = 'round'
  context.globalAlpha = 0.28
  context.strokeStyle = selected ? palette.drive : palette.unreachable
  context.lineWidth = (mark.width ?? 0) * camera.scale
  context.stroke(trace(pencil, mark.points, false))
  context.restore()
}

/** `inHand`: in the colour of what is being done; what it will be comes when it is let go. */
function polygon(pencil: Pencil, mark: Polygon, open: boolean, inHand: boolean) {
  const { context, palette } = pencil
  const path = trace(pencil, mark.points, !open)
  if (mark.kind === 'forbiddenZone' && !inHand) {
    context.fillStyle = patternsOf(palette).zone
    context.fill(path)
    context.strokeStyle = palette.zone
    context.lineWidth = 1.6
    context.setLineDash([7, 4])
  } else if (mark.kind === 'freeArea' && !inHand) {
    context.strokeStyle = palette.free
    context.lineWidth = 1.6
    context.lineCap = 'round'
    context.setLineDash([0.1, 4])
  } else {
    context.globalAlpha = 0.1
    context.fillStyle = palette.drive
    context.fill(path)
    context.globalAlpha = 1
    context.strokeStyle = palette.drive
    context.lineWidth = 1.8
  }
  context.stroke(path)
  context.setLineDash([])
  context.lineCap = 'butt'
}

const ICONS: Readonly<Record<Flag['kind'], string>> = {
  charging: 'M13 3l0 7l6 0l-8 11l0 -7l-6 0l8 -11',
  stop: 'M10 16v-8h2.667c.736 0 1.333 .895 1.333 2s-.597 2 -1.333 2h-2.667',
  elevator: 'M7 10l5 -6l5 6zM7 14l5 6l5 -6z',
  other: 'M7 20v-15c3 -2 7 2 10 0v8c-3 2 -7 -2 -10 0',
  startPoint: 'M8 5l10 7l-10 7z',
}

function flag({ context, palette, camera, view }: Pencil, mark: Flag, selected: boolean, labels: boolean) {
  const at = toScreen(camera, view, mark.at)
  const colour = {
    charging: palette.state.charging,
    stop: palette.state.moving,
    elevator: palette.state.riding,
    other: palette.state.idle,
    startPoint: palette.drive,
  }[mark.kind]
  context.save()
  context.translate(at.x, at.y)
  if (mark.kind !== 'startPoint' || selected) {
    context.save()
    context.rotate(-mark.at.yaw)
    context.fillStyle = colour
    context.fill(new Path2D('M12.5 -3.8L17.5 0L12.5 3.8z'))
    context.restore()
  }
  context.beginPath()
  context.roundRect(-10, -10, 20, 20, 6)
  context.fillStyle = colour
  context.fill()
  context.strokeStyle = selected ? palette.drive : palette.floor
  context.lineWidth = selected ? 2.5 : 1.5
  context.stroke()
  context.translate(-7, -7)
  context.scale(14 / 24, 14 / 24)
  context.strokeStyle = palette.knock
  context.lineWidth = 2.4
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.stroke(new Path2D(ICONS[mark.kind]))
  context.restore()
  if (labels && mark.name) {
    paintLabel(context, { x: at.x, y: at.y + 19 }, { text: mark.name }, palette, { size: 11 })
  }
}

export interface MarksLook {
  /** Ids of what is chosen. */
  readonly selection: readonly string[]
  /** A tool is in hand, so the points of the selected mark are handles. */
  readonly handles: boolean
  /** The mark in hand, and whether it is an open polygon. */
  readonly drawn?: { readonly id: string; readonly open: boolean } | undefined
  readonly layers: Pick<Layers, 'marks' | 'flags' | 'labels'> & Partial<Pick<Layers, 'hidden'>>
  readonly length: (metres: number) => string
  readonly closed: (hours: string) => string
  readonly private: () => string
}

function handles({ context, palette, camera, view }: Pencil, mark: Mark, frame: Frame) {
  if (isFlag(mark) || isLine(mark)) return
  const box = corners(frame)
  for (const point of mark.points) {
    const out = !contained(point, box)
    const at = toScreen(camera, view, point)
    dot(context, at, HANDLE, palette.floor, out ? palette.zone : palette.drive, 2.5)
  }
}

/** Of several that are chosen, the points are no handles: all of them are dragged. */
function outlined(pencil: Pencil, mark: Mark) {
  if (isFlag(mark)) return
  const { context, palette } = pencil
  context.strokeStyle = palette.drive
  context.lineWidth = 2.4
  context.stroke(trace(pencil, mark.points, !isLine(mark)))
}

const contained = (at: Point, box: readonly Point[]) =>
  box.every((a, i) => {
    const b = box[(i + 1) % box.length] ?? a
    return (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x) >= -1e-6
  })

/** What of a shape in hand lies beyond the map, cross-hatched. */
function refused(pencil: Pencil, mark: Mark, frame: Frame) {
  if (isFlag(mark) || isLine(mark)) return
  const { context, palette, view } = pencil
  context.save()
  const outside = new Path2D()
  outside.rect(-10, -10, view.width + 20, view.height + 20)
  outside.addPath(trace(pencil, corners(frame), true))
  context.clip(outside, 'evenodd')
  context.fillStyle = patternsOf(palette).blocked
  context.fill(trace(pencil, mark.points, true))
  context.restore()
}

/** Lengths of the sides, from 40 px a metre on while drawing. */
function dimensions(
  { context, palette, camera, view }: Pencil,
  mark: Mark,
  open: boolean,
  length: MarksLook['length'],
) {
  if (isFlag(mark)) return
  const sides = isLine(mark) || open ? mark.points.length - 1 : mark.points.length
  for (let i = 0; i < sides; i++) {
    const a = mark.points[i]
    const b = mark.points[(i + 1) % mark.points.length]
    if (!a || !b) continue
    const at = toScreen(camera, view, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
    paintLabel(context, { x: at.x, y: at.y - 10 }, { text: length(distance(a, b)) }, palette, { size: 11, bold: true })
  }
}

const ORDER: Readonly<Record<Mark['kind'], number>> = {
  eraser: 0,
  freeArea: 0,
  forbiddenZone: 1,
  taskArea: 2,
  taskPath: 2,
  virtualWall: 3,
  startPoint: 4,
  other: 5,
  stop: 6,
  elevator: 7,
  charging: 8,
}

export function paintMarks(pencil: Pencil, map: MapDocument, look: MarksLook): void {
  const { context, palette, camera, view } = pencil
  const near = camera.scale >= NEAR
  const { layers } = look
  const taken: Taken[] = []
  for (const mark of map.marks.toSorted((a, b) => ORDER[a.kind] - ORDER[b.kind])) {
    const selected = look.selection.includes(mark.id) || mark.id === look.drawn?.id
    if (layers.hidden?.has(mark.kind) && !selected) continue
    const open = mark.id === look.drawn?.id && look.drawn.open
    if (isFlag(mark)) {
      if (layers.flags && (near || selected)) flag(pencil, mark, selected, layers.labels)
      continue
    }
    if (!layers.marks) continue
    if (mark.kind === 'eraser') eraser(pencil, mark, selected)
    else if (mark.kind === 'taskPath') taskPath(pencil, mark.points)
    else if (isLine(mark)) virtualWall(pencil, mark.points, selected)
    else {
      polygon(pencil, mark, open, mark.id === look.drawn?.id)
      if (mark.id === look.drawn?.id) refused(pencil, mark, map.frame)
    }
    if (look.handles && selected) (look.selection.length > 1 ? outlined : handles)(pencil, mark, map.frame)
    if (mark.id === look.drawn?.id && camera.scale >= NEARER) dimensions(pencil, mark, open, look.length)
    const label = isLine(mark)
      ? ''
      : [mark.name, mark.hours && look.closed(sayHours(mark.hours)), mark.private && look.private()]
          .filter(Boolean)
          .join(' · ')
    if (layers.labels && near && label && !isLine(mark)) {
      const at = freePlace(context, toScreen(camera, view, middle(mark.points)), label, palette, taken)
      const colour = { forbiddenZone: palette.zone, freeArea: palette.free, taskArea: palette.drive }[mark.kind]
      paintLabel(context, at, { text: label }, palette, { colour })
    }
  }
}
