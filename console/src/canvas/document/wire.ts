/** Maps and masks as they come and go: rows of /map/selectMap, packed cells of the bus (protocol/bus/live_view.py). */

import type { Point } from '../geometry/geometry'
import { emptyRaster, fromFlat, type Raster, type Span, valueAt, withSpans } from '../raster/raster'
import { type Flag, isFlag, type Line, type MapDocument, type Mark, newId, type Polygon } from './document'
import type { Hours } from './hours'
import type { LaneGraph } from './lane-graph'

export interface WireFlag {
  name: string
  type: 'charging' | 'stop' | 'elevator' | 'other'
  x: number
  y: number
  yaw?: number
  id?: string
}

export interface WireZone {
  id?: string
  name?: string
  points: readonly (readonly number[])[]
  hours?: Hours | null
  private?: boolean | null
}

interface WireEraser extends WireZone {
  width: number
}

/** What the engine reads of a MapRow. */
export interface WireMap {
  mapId: number | string
  name: string
  width: number
  height: number
  resolution: number
  origin: readonly number[]
  revision: number
  flags: readonly WireFlag[]
  virtualWalls: readonly WireZone[]
  forbiddenZones: readonly WireZone[]
  freeAreas: readonly WireZone[]
  erasers?: readonly WireEraser[]
  hours?: Hours | null
  laneGraph?: LaneGraph | null
}

/** Cells of a grid that are set: bits, lowest row first, rows padded to bytes, highest bit first, zlib, base64. */
export interface WireMask {
  width: number
  height: number
  data: string
  column?: number
  row?: number
}

const point = ([x = 0, y = 0]: readonly number[]): Point => ({ x, y })

const alike = (a: Mark, b: Mark): boolean =>
  a.kind === b.kind &&
  JSON.stringify([a.name, isFlag(a) ? a.at : a.points]) === JSON.stringify([b.name, isFlag(b) ? b.at : b.points])

/** Gives marks that came anew without an id those of the marks they are: the same thing, else the same name of the same
 * kind. Not every robot keeps ids, and a selection or an undo step must survive a sync. */
function sameIds(marks: Mark[], before: readonly Mark[]): Mark[] {
  const received = new Set(marks.map((mark) => mark.id))
  const left = new Set(before.filter((old) => !received.has(old.id)))
  const take = (test: (old: Mark) => boolean): string | undefined => {
    for (const old of left) {
      if (!test(old)) continue
      left.delete(old)
      return old.id
    }
    return undefined
  }
  const exact = marks.map((mark) => (mark.id ? mark.id : take((old) => alike(old, mark))))
  return marks.map((mark, i) => ({
    ...mark,
    id: exact[i] ?? take((old) => mark.name !== '' && old.kind === mark.kind && old.name === mark.name) ?? newId(),
  }))
}

/** The document of a row. `before` (an older state of the same map) lends its ids, and its grid if nothing of it changed. */
export function fromRow(row: WireMap, before?: MapDocument): MapDocument {
  const shapes = (list: readonly WireZone[], kind: Polygon['kind'] | Line['kind']): Mark[] =>
    list.map(({ id = '', name = '', points, hours, private: hidden, ...more }) => ({
      ...more,
      ...{ id, kind, name, points: points.map(point) },
      ...(hours && { hours }),
      ...(hidden && { private: hidden }),
    }))
  const marks: Mark[] = [
    ...shapes(row.freeAreas, 'freeArea'),
    ...shapes(row.forbiddenZones, 'forbiddenZone'),
    ...shapes(row.virtualWalls, 'virtualWall'),
    ...shapes(row.erasers ?? [], 'eraser'),
    ...row.flags.map(({ id = '', name, type, x, y, yaw = 0 }): Flag => ({ id, kind: type, name, at: { x, y, yaw } })),
  ]
  const [x = 0, y = 0, yaw = 0] = row.origin
  const same = before?.id === String(row.mapId) ? before : undefined
  return {
    id: String(row.mapId),
    name: row.name,
    revision: row.revision,
    frame: { width: row.width, height: row.height, resolution: row.resolution, origin: { x, y, yaw } },
    grid: same?.revision === row.revision ? same.grid : undefined,
    marks: sameIds(marks, same?.marks ?? []),
    ...(row.hours && { hours: row.hours }),
    ...(row.laneGraph && { laneGraph: row.laneGraph }),
  }
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(bytes)
      controller.close()
    },
  })
  const bits = packed.pipeThrough(new DecompressionStream('deflate')) // zlib, in the browser's words
  return new Uint8Array(await new Response(bits).arrayBuffer())
}

/** The raster of the whole grid with a mask's cells set to 1; those beyond the grid are left out. */
export async function fromMask(mask: WireMask, width = mask.width, height = mask.height): Promise<Raster> {
  const bits = await inflate(Uint8Array.from(atob(mask.data), (c) => c.charCodeAt(0)))
  const stride = Math.ceil(mask.width / 8)
  const left = mask.column ?? 0
  const bottom = mask.row ?? 0
  const cells = new Uint8Array(width * height)
  for (const [index, eight] of bits.entries()) {
    const y = Math.floor(index / stride)
    const row = bottom + y
    if (eight === 0 || y >= mask.height || row < 0 || row >= height) continue
    for (let bit = 0; bit < 8; bit++) {
      const x = (index % stride) * 8 + bit
      const column = left + x
      if ((eight << bit) & 128 && x < mask.width && column >= 0 && column < width) cells[row * width + column] = 1
    }
  }
  return fromFlat(cells, width, height)
}

/** Runs of cells of a flat list row, first column, length. */
function* spansOf(list: readonly number[]): Generator<Span> {
  for (let i = 0; i + 2 < list.length; i += 3) {
    yield { row: valueAt(list, i), column: valueAt(list, i + 1), length: valueAt(list, i + 2), value: 1 }
  }
}

/** One scan: ray i goes to yaw + first + i * step; a range of 0 is no echo. */
export interface WireLidar {
  readonly x: number
  readonly y: number
  readonly yaw: number
  readonly first: number
  readonly step: number
  readonly ranges: readonly number[]
}

/** What lies ahead of a robot and what it drove in this run; `earlier` may hold runs before, drawn paler. */
export interface WirePath {
  readonly ahead: readonly number[]
  readonly driven: readonly number[]
  readonly earlier?: readonly number[]
}

export interface WireCells {
  run: string
  seq: number
  full?: WireMask | null
  spans?: readonly number[]
}

/** The cleaned cells of the run that is shown, kept up to date from the bus in the order in which messages came. */
export interface CleanedCells {
  readonly raster: Raster
  /** False after a gap: then a full picture must be asked for by watching anew. */
  apply(message: WireCells): Promise<boolean>
}

export function cleanedCells(width: number, height: number, changed: (raster: Raster) => void): CleanedCells {
  let raster = emptyRaster(width, height)
  let run = ''
  let next = -1 // -1: nothing is known yet, only a full picture will do
  let last: Promise<unknown> = Promise.resolve()
  const take = async ({ run: of, seq, full, spans = [] }: WireCells): Promise<boolean> => {
    if (full) raster = await fromMask(full, width, height)
    else if (of !== run || next < 0) {
      if (seq > 1) return false // it began before we looked
      raster = emptyRaster(width, height)
    } else if (seq < next)
      return true // named twice
    else if (seq > next) {
      next = -1
      return false
    }
    raster = withSpans(raster, spansOf(spans))
    run = of
    next = seq + 1
    changed(raster)
    return true
  }
  return {
    get raster() {
      return raster
    },
    apply: (message) => {
      const done = last.then(() => take(message))
      last = done.catch(() => undefined) // one bad message must not stop the next
      return done
    },
  }
}
