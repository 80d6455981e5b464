/** The floor itself, LOOK 5 layers 0 to 7, 9 and 10: unknown, floor, cleaned, lanes, missed, furniture, walls. One function
 * for the live map, the tiles and the still picture, so that a floor looks the same everywhere. */

import type { MapDocument } from '../document/document'
import { type Camera, type Size, seen, toScreen } from '../geometry/camera'
import { type Box, type Frame, fromCell, toGrid } from '../geometry/geometry'
import type { Palette } from '../palette'
import { ANY, cellsOf, type Raster, SIDE } from '../raster/raster'
import { FURNITURE, structured, WALL } from '../raster/structure'
import { type Context, patternsOf } from './patterns'
import { type Tracer, tracer } from './tracer'

/** Cells of one step of a scale: the more, the fuller the colour. */
interface Shade {
  readonly cells: Raster
  /** Of the colour, 0 to 1. */
  readonly share: number
  readonly tone: 'drive' | 'miss'
}

/** What a floor shows. Flat paths x0, y0, x1, y1 … as they come on the wire. */
export interface Ground {
  readonly map: MapDocument
  /** The grid with its furniture classified, if that is not to be done here. */
  readonly structure?: Raster | undefined
  readonly cells?: Raster | undefined
  /** What was cleaned longer ago, paler. */
  readonly faded?: Raster | undefined
  readonly shades?: readonly Shade[] | undefined
  readonly driven?: readonly number[] | undefined
  readonly earlier?: readonly number[] | undefined
  readonly missed?: Raster | undefined
  readonly blocked?: Raster | undefined
  readonly unreachable?: Raster | undefined
  readonly furniture?: boolean
  readonly lanes?: boolean
  /** Lines at each metre, for editors. */
  readonly metres?: boolean
}

const any = tracer(ANY)
const wall = tracer(cellsOf(WALL))
const furniture = tracer(cellsOf(FURNITURE))

const THINNEST_WALL = 1.4 // px
const HAIR = 1 // px; wider lines round thousands of corners cost ten times as much
const SWATH = 0.58 // m
const FADED = 0.4 // of the colour of what is cleaned
export const NEAR = 14 // px a metre: lanes, route, lidar, flags, zone names
export const NEARER = 40 // px a metre: cells, 1 m lines, dimensions

/** Cells of a raster to px of the view. */
function cellsToScreen(frame: Frame, camera: Camera, view: Size): DOMMatrix {
  const origin = toScreen(camera, view, frame.origin)
  const side = frame.resolution * camera.scale
  const cos = Math.cos(frame.origin.yaw) * side
  const sin = Math.sin(frame.origin.yaw) * side
  return new DOMMatrix([cos, -sin, -sin, -cos, origin.x, origin.y])
}

/** Tiles of a raster that a box of the map meets, with the place of their lower left cell. */
function* tilesIn(raster: Raster, frame: Frame, box: Box) {
  const ends = [
    { x: box.left, y: box.bottom },
    { x: box.right, y: box.bottom },
    { x: box.right, y: box.top },
    { x: box.left, y: box.top },
  ].map((p) => toGrid(p, frame))
  const first = (values: number[]) => Math.max(0, Math.floor(Math.min(...values) / SIDE))
  const last = (values: number[], most: number) => Math.min(most, Math.floor(Math.max(...values) / SIDE))
  const xs = ends.map((p) => p.x)
  const ys = ends.map((p) => p.y)
  const rows = Math.ceil(raster.height / SIDE)
  for (let y = first(ys); y <= last(ys, rows - 1); y++) {
    for (let x = first(xs); x <= last(xs, raster.columns - 1); x++) {
      const tile = raster.tiles[y * raster.columns + x]
      if (tile) yield { tile, column: x * SIDE, row: y * SIDE }
    }
  }
}

/** The outline of a raster in px of the view, from what its tiles have kept. */
function outlineOn(
  raster: Raster,
  trace: Tracer,
  frame: Frame,
  camera: Camera,
  view: Size,
  part = seen(camera, view),
): Path2D {
  const toView = cellsToScreen(frame, camera, view)
  const path = new Path2D()
  for (const { tile, column, row } of tilesIn(raster, frame, part)) {
    const outline = trace(tile)
    if (outline) path.addPath(outline, toView.translate(column, row))
  }
  return path
}

function polyline(flatPath: readonly number[], camera: Camera, view: Size): Path2D {
  const path = new Path2D()
  for (let i = 0; i + 1 < flatPath.length; i += 2) {
    const { x, y } = toScreen(camera, view, { x: flatPath[i] ?? 0, y: flatPath[i + 1] ?? 0 })
    if (i === 0) path.moveTo(x, y)
    else path.lineTo(x, y)
  }
  return path
}

function strokeLanes(context: Context, flatPath: readonly number[] | undefined, colour: string, width: number) {
  return (camera: Camera, view: Size) => {
    if (!flatPath || flatPath.length < 4) return
    context.strokeStyle = colour
    context.lineWidth = width
    context.lineJoin = 'round'
    context.stroke(polyline(flatPath, camera, view))
  }
}

const WAY = 2 // px

/** A way by itself, over whatever floor. */
export function paintWay(context: Context, flatPath: readonly number[], palette: Palette, camera: Camera, view: Size) {
  strokeLanes(context, flatPath, palette.drive, WAY)(camera, view)
}

/** Lanes thin out where they would run into one grey: nearer than 5 px to each other they are a hint, no more. */
const laneAlpha = (scale: number) => Math.min(Math.max((SWATH * scale - 1) / 4, 0.25), 1)

function metreLines(context: Context, map: MapDocument, palette: Palette, camera: Camera, view: Size) {
  const { frame } = map
  const step = 1 / frame.resolution
  const line = (a: readonly [number, number], b: readonly [number, number]) => {
    const from = toScreen(camera, view, fromCell(a[0], a[1], frame))
    const to = toScreen(camera, view, fromCell(b[0], b[1], frame))
    context.moveTo(from.x, from.y)
    context.lineTo(to.x, to.y)
  }
  context.beginPath()
  for (let x = 0; x <= frame.width; x += step) line([x, 0], [x, frame.height])
  for (let y = 0; y <= frame.height; y += step) line([0, y], [frame.width, y])
  context.strokeStyle = palette.metre
  context.lineWidth = 0.6
  context.stroke()
}

/** Paints the floor, or only what a box of it needs; the context's unit is one CSS px. */
export function paintGround(
  context: Context,
  ground: Ground,
  palette: Palette,
  camera: Camera,
  view: Size,
  part?: Box,
): void {
  const { map } = ground
  const { frame } = map
  context.fillStyle = palette.out
  context.fillRect(0, 0, view.width, view.height)
  const outline = (raster: Raster, trace: Tracer) => outlineOn(raster, trace, frame, camera, view, part)
  const structure = ground.structure ?? (map.grid && structured(map.grid, frame.resolution))
  if (structure) {
    context.fillStyle = palette.floor
    context.fill(outline(structure, any))
  }
  if (ground.faded) {
    context.globalAlpha = FADED
    context.fillStyle = palette.clean
    context.fill(outline(ground.faded, any))
    context.globalAlpha = 1
  }
  if (ground.cells) {
    context.fillStyle = palette.clean
    context.fill(outline(ground.cells, any))
  }
  for (const { cells, share, tone } of ground.shades ?? []) {
    context.globalAlpha = share
    context.fillStyle = palette[tone]
    context.fill(outline(cells, any))
    context.globalAlpha = 1
  }
  if (ground.lanes !== false) {
    context.globalAlpha = laneAlpha(camera.scale)
    strokeLanes(context, ground.earlier, palette.lane, 0.9)(camera, view)
    if (camera.scale >= NEAR) context.globalAlpha = 0.75
    strokeLanes(context, ground.driven, camera.scale >= NEAR ? palette.drive : palette.lane, HAIR)(camera, view)
    context.globalAlpha = 1
  }
  const patterns = patternsOf(palette)
  const hatch = (raster: Raster | undefined, fill: CanvasPattern, line: string | undefined) => {
    if (!raster) return
    const path = outline(raster, any)
    if (line) {
      context.strokeStyle = line
      context.lineWidth = 3
      context.lineJoin = 'round'
      context.stroke(path)
      context.fillStyle = palette.floor
      context.fill(path)
    }
    context.fillStyle = fill
    context.fill(path)
  }
  hatch(ground.unreachable, patterns.unreachable, undefined)
  hatch(ground.missed, patterns.missed, palette.miss)
  hatch(ground.blocked, patterns.blocked, palette.block)
  if (ground.metres) metreLines(context, map, palette, camera, view)
  if (!structure) return
  if (ground.furniture !== false) {
    const path = outline(structure, furniture)
    context.strokeStyle = palette.obstacleLine
    context.lineWidth = HAIR // half of it is covered by the fill, seams between tiles wholly
    context.stroke(path)
    context.fillStyle = palette.obstacle
    context.fill(path)
  }
  const walls = outline(structure, wall)
  context.fillStyle = palette.wall
  context.fill(walls)
  const missing = THINNEST_WALL - frame.resolution * camera.scale
  if (missing > 0) {
    context.strokeStyle = palette.wall
    context.lineWidth = Math.min(missing, HAIR)
    context.stroke(walls)
  }
}
