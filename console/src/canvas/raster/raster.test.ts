import { expect, test, vi } from 'vitest'
import { loopsOf } from './outline'
import {
  byteAt,
  cellAt,
  cellsOf,
  countCells,
  emptyRaster,
  FREE,
  flat,
  fromFlat,
  gridFromGrey,
  integerAt,
  knownEnds,
  OCCUPIED,
  SIDE,
  UNKNOWN,
  valueAt,
  withSpans,
} from './raster'
import { FURNITURE, structured, structuredSoon, WALL } from './structure'
import { rasterOf } from './test-raster'

test('a change makes new tiles only where it falls', () => {
  const before = emptyRaster(300, 300)
  const after = withSpans(before, [{ row: 10, column: 120, length: 20, value: 1 }])
  expect(after.tiles.map((tile, i) => tile !== before.tiles[i])).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
    false,
  ])
  expect(countCells(after, 1)).toBe(20)
  expect(cellAt(after, 127, 10) + cellAt(after, 128, 10) + cellAt(after, 139, 10)).toBe(3)
  expect(cellAt(after, 140, 10)).toBe(0)
  expect(countCells(before, 1)).toBe(0)
})

test('leave out what falls beyond a raster', () => {
  const raster = emptyRaster(10, 10)
  expect(withSpans(raster, [{ row: 12, column: 0, length: 3, value: 1 }])).toBe(raster)
  expect(countCells(withSpans(raster, [{ row: 2, column: -3, length: 99, value: 1 }]), 1)).toBe(10)
})

test('the first row of a picture is the top of the map; 254 is free, 0 occupied, all else unknown', () => {
  const grid = gridFromGrey([254, 0, 205, 254], 2, 2)
  expect([cellAt(grid, 0, 1), cellAt(grid, 1, 1), cellAt(grid, 0, 0), cellAt(grid, 1, 0)]).toEqual([
    FREE,
    OCCUPIED,
    UNKNOWN,
    FREE,
  ])
})

test('flat and tiles hold the same cells, and the ends of what is known', () => {
  const raster = rasterOf(200, 150, (column, row) => Number(column > 130 && row === 140))
  expect(flat(raster).reduce((sum, cell) => sum + cell, 0)).toBe(69)
  expect(knownEnds(raster)).toEqual([131, 140, 200, 141])
})

const tile = (cells: readonly (readonly [number, number])[]) => {
  const bitmap = new Uint8Array(SIDE * SIDE)
  for (const [x, y] of cells) bitmap[y * SIDE + x] = 1
  return bitmap
}

/** Signed area of loops: holes count against. */
const inside = (loops: number[][]) =>
  loops.reduce((sum, loop) => {
    let twice = 0
    for (let i = 0; i < loop.length; i += 2) {
      const j = (i + 2) % loop.length
      twice += (loop[i] ?? 0) * (loop[j + 1] ?? 0) - (loop[j] ?? 0) * (loop[i + 1] ?? 0)
    }
    return sum + twice / 2
  }, 0)

test('an outline has corners only and goes round its cells', () => {
  const loops = loopsOf(
    tile([
      [1, 1],
      [2, 1],
      [1, 2],
      [2, 2],
    ]),
    cellsOf(1),
  )
  expect(loops).toEqual([[1, 1, 3, 1, 3, 3, 1, 3]])
})

test('holes turn the other way, so that they stay empty', () => {
  const ring = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => [x, y] as const)).filter(([x, y]) => x !== 1 || y !== 1)
  const loops = loopsOf(tile(ring), cellsOf(1))
  expect(loops).toHaveLength(2)
  expect(inside(loops)).toBe(8)
})

test('any pattern of cells is enclosed exactly', () => {
  let seed = 7
  const cells = Array.from({ length: 4000 }, () => {
    seed = (seed * 48271) % 2147483647
    return [seed % SIDE, Math.floor(seed / SIDE) % SIDE] as const
  })
  const random = tile(cells)
  expect(inside(loopsOf(random, cellsOf(1)))).toBe(random.reduce((sum, cell) => sum + cell, 0))
})

test('take thick or small things for furniture, and thin long ones for walls', () => {
  const grid = rasterOf(200, 100, (column, row) => {
    if (row < 5 || column < 5) return OCCUPIED // walls of 25 cm
    if (column > 60 && column <= 80 && row > 40 && row <= 54) return OCCUPIED // a sofa of 1 × 0.7 m
    if (column >= 5 && column <= 25 && row > 60 && row <= 80) return OCCUPIED // a cupboard at the wall
    return column > 150 && column <= 153 && row === 50 ? OCCUPIED : FREE // a leg
  })
  const classified = structured(grid, 0.05)
  expect([cellAt(classified, 2, 50), cellAt(classified, 100, 2)]).toEqual([WALL, WALL])
  expect([cellAt(classified, 70, 48), cellAt(classified, 15, 70), cellAt(classified, 152, 50)]).toEqual([
    FURNITURE,
    FURNITURE,
    FURNITURE,
  ])
  expect(structured(grid, 0.05)).toBe(classified)
})

test('a tile of nothing has no outline, a full one has its four corners', () => {
  const full = new Uint8Array(SIDE * SIDE).fill(1)
  expect(loopsOf(new Uint8Array(SIDE * SIDE), cellsOf(1))).toEqual([])
  expect(loopsOf(full, cellsOf(1))).toEqual([[0, 0, SIDE, 0, SIDE, SIDE, 0, SIDE]])
})

test('beyond a raster, and where it has no tile, all is 0', () => {
  const raster = rasterOf(10, 10, () => 7)
  expect([cellAt(raster, 9, 9), cellAt(raster, 10, 9), cellAt(raster, 9, -1), valueAt([7], 1)]).toEqual([7, 0, 0, 0])
  expect([byteAt(Uint8Array.of(7), 1), integerAt(Int32Array.of(7), 1)]).toEqual([0, 0])
  expect(cellAt({ ...raster, tiles: [] }, 9, 9)).toBe(0)
})

test('a picture that ends early is unknown from there on', () => {
  expect(flat(gridFromGrey([254, 0], 3, 1))).toEqual(Uint8Array.of(FREE, OCCUPIED, UNKNOWN))
})

test('empty tiles are one and the same, from a flat list too; nothing known has no ends', () => {
  const raster = fromFlat(new Uint8Array(200 * 100), 200, 100)
  expect(raster.tiles[1]).toBe(emptyRaster(10, 10).tiles[0])
  expect(knownEnds(raster)).toBeUndefined()
})

test('the ends of what is known count every tile, those in the middle too', () => {
  expect(knownEnds(rasterOf(384, 256, () => FREE))).toEqual([0, 0, 384, 256])
})

test('take for wall what is too large to be classified', () => {
  const grid = emptyRaster(5001, 5000)
  expect(structured(grid, 0.05)).toBe(grid)
})

test('show a large grid at once, and classify it right after', () => {
  vi.useFakeTimers()
  try {
    const done = vi.fn()
    const small = rasterOf(10, 10, () => OCCUPIED)
    expect(cellAt(structuredSoon(small, 0.05, done), 5, 5)).toBe(FURNITURE)
    const grid = withSpans(emptyRaster(2501, 2000), [{ row: 9, column: 9, length: 2, value: OCCUPIED }])
    expect([structuredSoon(grid, 0.05, done), structuredSoon(grid, 0.05, done)]).toEqual([grid, grid])
    vi.runAllTimers()
    expect(done).toHaveBeenCalledOnce()
    expect(cellAt(structuredSoon(grid, 0.05, done), 9, 9)).toBe(FURNITURE)
  } finally {
    vi.useRealTimers()
  }
})
