/** A floor for looking at the map engine: a hotel level of 48 by 27 m, drawn from plain numbers, with a robot in its run. */
import type { MapDocument, Mark } from '../src/canvas/document/document'
import type { WireLidar } from '../src/canvas/document/wire'
import type { Point } from '../src/canvas/geometry/geometry'
import type { Label } from '../src/canvas/paint/text'
import { cellAt, FREE, OCCUPIED, type Raster, rasterOf, UNKNOWN } from '../src/canvas/raster/raster'

type Rect = readonly [x: number, y: number, width: number, height: number]
type Disc = readonly [x: number, y: number, radius: number]

const CELL = 0.05
const RIM = 1 // m of unknown round the house
const WIDTH = 48
const HEIGHT = 27
const OUTER = 0.19
const INNER = 0.14

/** Walls by their middle line; gaps are doors. y down as on a plan, turned over at the end. */
const WALLS: readonly (readonly [x: number, y: number, x2: number, y2: number, half: number])[] = [
  [0, 0, 48, 0, OUTER],
  [0, 0, 0, 27, OUTER],
  [48, 0, 48, 19, OUTER],
  [40, 19, 48, 19, OUTER],
  [40, 19, 40, 27, OUTER],
  [0, 27, 40, 27, OUTER],
  [0, 9, 5.8, 9, INNER],
  [8.1, 9, 16.4, 9, INNER],
  [17.8, 9, 22.4, 9, INNER],
  [23.8, 9, 27.3, 9, INNER],
  [29.8, 9, 33, 9, INNER],
  [34, 9, 44.4, 9, INNER],
  [46, 9, 48, 9, INNER],
  [14, 0, 14, 9, INNER],
  [20, 0, 20, 9, INNER],
  [26, 0, 26, 9, INNER],
  [31, 0, 31, 9, INNER],
  [31, 3, 31.6, 3, INNER],
  [32.6, 3, 34.4, 3, INNER],
  [35.6, 3, 36, 3, INNER],
  [33.5, 3, 33.5, 9, INNER],
  [36, 0, 36, 9, INNER],
  [0, 12, 7, 12, INNER],
  [15, 12, 27.6, 12, INNER],
  [29, 12, 33.6, 12, INNER],
  [35, 12, 43.4, 12, INNER],
  [44.8, 12, 48, 12, INNER],
  [22, 12, 22, 18.2, INNER],
  [22, 20.2, 22, 27, INNER],
  [40, 12, 40, 19, INNER],
]

const RECTS: readonly Rect[] = [
  [0.8, 1.2, 1.8, 6.4],
  [15.6, 3.2, 2.8, 1.2],
  [21.6, 3.2, 2.8, 1.2],
  [37.4, 0.6, 9.8, 0.8],
  [38.4, 3.4, 6.4, 1],
  [37.4, 6, 3, 0.9],
  [2.2, 13.4, 0.9, 6.6],
  [3.2, 15, 0.6, 3.2],
  [9, 17.5, 3.4, 1],
  [9, 20.4, 3.4, 1],
  [17.6, 14.2, 1, 2.6],
  [20, 14.2, 1, 2.6],
  [17.4, 23.2, 3.4, 0.9],
  [38.2, 13.6, 1, 9],
  [24.4, 24.9, 9, 0.8],
  [42.4, 14, 3.6, 1],
  [41, 17, 2, 1],
]

const DISCS: readonly Disc[] = [
  [6.5, 15.5, 0.6],
  [15.5, 15.5, 0.6],
  [6.5, 23, 0.6],
  [15.5, 23, 0.6],
  [10.6, 19.4, 0.65],
  [19.3, 15.5, 0.55],
  [2, 25, 0.85],
  [19.1, 25.2, 0.6],
  [20.8, 21, 0.5],
  ...[25.2, 28.6, 32, 35.4].flatMap((x) => [15.4, 18.6, 21.8].map((y): Disc => [x, y, 0.8])),
]

function solid(x: number, y: number): boolean {
  const inWall = WALLS.some(
    ([x1, y1, x2, y2, half]) => x >= x1 - half && x <= x2 + half && y >= y1 - half && y <= y2 + half,
  )
  if (inWall) return true
  if (RECTS.some(([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height))
    return true
  return DISCS.some(([cx, cy, r]) => Math.hypot(x - cx, y - cy) <= r)
}

const indoors = (x: number, y: number) => x > 0 && y > 0 && y < HEIGHT && (x < 40 || (x < WIDTH && y < 19))
const flip = (x: number, y: number): Point => ({ x, y: HEIGHT - y })
const box = (left: number, top: number, right: number, bottom: number): Point[] => [
  flip(left, top),
  flip(right, top),
  flip(right, bottom),
  flip(left, bottom),
]

const width = Math.round((WIDTH + 2 * RIM) / CELL)
const height = Math.round((HEIGHT + 2 * RIM) / CELL)
const at = (column: number, row: number): readonly [number, number] => [
  (column + 0.5) * CELL - RIM,
  HEIGHT - ((row + 0.5) * CELL - RIM),
]

export const grid: Raster = rasterOf(width, height, (column, row) => {
  const [x, y] = at(column, row)
  if (solid(x, y)) return OCCUPIED
  return indoors(x, y) ? FREE : UNKNOWN
})

const zone = (id: string, name: string, points: Point[]): Mark => ({ id, kind: 'forbiddenZone', name, points })
const door = (id: string, x: number, x2: number, y: number): Mark => ({
  id,
  kind: 'virtualWall',
  name: '',
  points: [flip(x, y), flip(x2, y)],
})

export const floor: MapDocument = {
  id: 'hotel',
  name: 'Kestrel Quay, floor 1',
  revision: 1,
  frame: { width, height, resolution: CELL, origin: { x: -RIM, y: -RIM, yaw: 0 } },
  grid,
  marks: [
    zone('z1', 'Ballroom', box(0.35, 0.35, 13.7, 8.7)),
    zone('z2', 'Buffet', box(34, 20.2, 37, 23.4)),
    door('w1', 16.4, 17.8, 9),
    door('w2', 22.4, 23.8, 9),
    door('w3', 44.4, 46, 9),
    door('w4', 43.4, 44.8, 12),
    { id: 'f1', kind: 'charging', name: '', at: { ...flip(1.3, 10.5), yaw: 0 } },
    { id: 'f2', kind: 'other', name: '', at: { ...flip(28.5, 7.4), yaw: -Math.PI / 2 } },
    { id: 'f3', kind: 'stop', name: '', at: { ...flip(46.6, 10.5), yaw: Math.PI } },
  ],
}

export const labels: Label[] = [
  { at: flip(17, 6.2), text: 'Meeting 1' },
  { at: flip(23, 6.2), text: 'Meeting 2' },
  { at: flip(28.5, 5.4), text: 'Lift hall' },
  { at: flip(43, 7.3), text: 'Kitchen' },
  { at: flip(45.6, 16.4), text: 'Office' },
  { at: flip(20, 10.5), text: 'Corridor', detail: '124 m²' },
  { at: flip(11, 25.1), text: 'Lobby', detail: '275 m²' },
  { at: flip(30.5, 13.1), text: 'Restaurant', detail: '113 of 199 m²' },
]

/** Lanes of 0.5 m that go round what stands in the way, as a robot would leave them. */
function lanes(left: number, top: number, right: number, bottom: number, eastFirst = true): number[] {
  const path: number[] = []
  let east = eastFirst
  const clear = (x: number, y: number) => {
    for (let angle = 0; angle < 6.2; angle += 0.4) {
      if (solid(x + 0.32 * Math.cos(angle), y + 0.32 * Math.sin(angle))) return false
    }
    return !(x > 33.7 && x < 37.3 && y > 19.9 && y < 23.7)
  }
  for (let y = top; y <= bottom; y += 0.5) {
    const row: Point[] = []
    for (let x = left; x <= right; x += 0.1) {
      let around = y
      while (!clear(x, around) && around > y - 1.6) around -= 0.1
      if (clear(x, around)) row.push(flip(x, around))
    }
    if (!east) row.reverse()
    for (const p of row) path.push(p.x, p.y)
    east = !east
  }
  return path
}

export const earlier = [...lanes(0.5, 9.5, 47.5, 11.6, false), ...lanes(0.5, 12.5, 21.5, 26.5)]
export const driven = lanes(22.5, 12.5, 37.6, 19.2)
export const ahead = lanes(22.5, 19.6, 39.4, 26.4)
export const pose = { ...flip(27, 19.2), yaw: Math.PI }

export function swept(...paths: number[][]): Raster {
  const cells = new Uint8Array(width * height)
  const reach = Math.round(0.29 / CELL)
  for (const path of paths) {
    for (let i = 0; i + 1 < path.length; i += 2) {
      const column = Math.floor(((path[i] ?? 0) + RIM) / CELL)
      const row = Math.floor(((path[i + 1] ?? 0) + RIM) / CELL)
      for (let y = row - reach; y <= row + reach; y++) {
        for (let x = column - reach; x <= column + reach; x++) {
          if (Math.hypot(x - column, y - row) <= reach + 0.3 && cellAt(grid, x, y) === FREE) cells[y * width + x] = 1
        }
      }
    }
  }
  return rasterOf(width, height, (column, row) => cells[row * width + column] ?? 0)
}

/** A scan by walking along each ray through the grid. */
export function scan(from: { x: number; y: number; yaw: number }, rays = 360): WireLidar {
  const first = -Math.PI
  const step = (2 * Math.PI) / rays
  const ranges = Array.from({ length: rays }, (_, i) => {
    const angle = from.yaw + first + i * step
    for (let range = 0.1; range < 12; range += CELL / 2) {
      const column = Math.floor((from.x + range * Math.cos(angle) + RIM) / CELL)
      const row = Math.floor((from.y + range * Math.sin(angle) + RIM) / CELL)
      if (cellAt(grid, column, row) === OCCUPIED) return range
    }
    return 0
  })
  return { ...from, first, step, ranges }
}
