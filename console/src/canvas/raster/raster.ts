/** Raster layers: a value per cell in immutable tiles of 128×128. A change makes new tiles only where it falls, so that
 * everything made from a tile (outline, picture) may be kept as long as the tile itself. */
export const SIDE = 128

export type Tile = Uint8Array

export interface Raster {
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly tiles: readonly Tile[]
}

/** Cells of an occupancy grid. */
export const UNKNOWN = 0
export const FREE = 1
export const OCCUPIED = 2

const UNKNOWN_GREY = 205 // as ROS writes it

/** Which cells are meant. Runs of them are searched for as the engine can itself: several times as fast as a loop. */
export interface CellClass {
  /** The first cell of the class from `from` on; the number of cells where none is left. */
  next(cells: Uint8Array, from: number): number
  /** The first from `from` on that is not of it. */
  end(cells: Uint8Array, from: number): number
}

const orAll = (cells: Uint8Array, index: number) => (index < 0 ? cells.length : index)

/** Cells that are not 0. */
export const ANY: CellClass = {
  next(cells, from) {
    let index = from
    while (cells[index] === 0) index++
    return index
  },
  end: (cells, from) => orAll(cells, cells.indexOf(0, from)),
}

/** Cells of one value, which is not 0. */
export const cellsOf = (value: number): CellClass => ({
  next: (cells, from) => orAll(cells, cells.indexOf(value, from)),
  end(cells, from) {
    let index = from
    while (cells[index] === value) index++
    return index
  },
})

/** One tile stands for all that are empty. */
const EMPTY: Tile = new Uint8Array(SIDE * SIDE)

/** The number at an index of a flat list; 0 beyond its end. */
export const valueAt = (values: readonly number[], index: number): number => values[index] ?? 0

/** The same for cells. A function that reads lists of several kinds takes ten times as long as one for each kind. */
export const byteAt = (cells: Uint8Array, index: number): number => cells[index] ?? 0

/** The same for indices of cells and the like. */
export const integerAt = (integers: Int32Array, index: number): number => integers[index] ?? 0

/** A tile of a raster; one that is not there is empty. */
export const tileAt = (tiles: readonly Tile[], index: number): Tile => tiles[index] ?? EMPTY

export function emptyRaster(width: number, height: number): Raster {
  const columns = Math.ceil(width / SIDE)
  return { width, height, columns, tiles: new Array<Tile>(columns * Math.ceil(height / SIDE)).fill(EMPTY) }
}

export function cellAt(raster: Raster, column: number, row: number): number {
  if (column < 0 || row < 0 || column >= raster.width || row >= raster.height) return 0
  const tile = tileAt(raster.tiles, Math.floor(row / SIDE) * raster.columns + Math.floor(column / SIDE))
  return byteAt(tile, (row % SIDE) * SIDE + (column % SIDE))
}

/** A run of cells in one row. */
export interface Span {
  readonly row: number
  readonly column: number
  readonly length: number
  readonly value: number
}

/** The raster with these runs of cells set; what falls beyond it is left out. */
export function withSpans(raster: Raster, spans: Iterable<Span>): Raster {
  const tiles = [...raster.tiles]
  const fresh = new Set<number>()
  for (const { row, column, length, value } of spans) {
    if (row < 0 || row >= raster.height) continue
    const end = Math.min(column + length, raster.width)
    for (let from = Math.max(column, 0); from < end; ) {
      const index = Math.floor(row / SIDE) * raster.columns + Math.floor(from / SIDE)
      const to = Math.min(end, (Math.floor(from / SIDE) + 1) * SIDE)
      if (!fresh.has(index)) {
        tiles[index] = tileAt(tiles, index).slice()
        fresh.add(index)
      }
      const start = (row % SIDE) * SIDE + (from % SIDE)
      tileAt(tiles, index).fill(value, start, start + to - from)
      from = to
    }
  }
  return fresh.size === 0 ? raster : { ...raster, tiles }
}

/** The raster of cells that stand row by row from the lowest row: what `flat` gives. */
export function fromFlat(cells: Uint8Array, width: number, height: number): Raster {
  const raster = emptyRaster(width, height)
  const tiles = raster.tiles.map((_, index) => {
    const left = (index % raster.columns) * SIDE
    const bottom = Math.floor(index / raster.columns) * SIDE
    const wide = Math.min(SIDE, width - left)
    const tile = new Uint8Array(SIDE * SIDE)
    for (let row = bottom; row < Math.min(bottom + SIDE, height); row++) {
      const from = row * width + left
      tile.set(cells.subarray(from, from + wide), (row - bottom) * SIDE)
    }
    return ANY.next(tile, 0) < tile.length ? tile : EMPTY
  })
  return { ...raster, tiles }
}

/** All cells row by row from the lowest row, for algorithms that look at the whole picture. */
export function flat(raster: Raster): Uint8Array {
  const cells = new Uint8Array(raster.width * raster.height)
  for (const [index, tile] of raster.tiles.entries()) {
    if (tile === EMPTY) continue
    const left = (index % raster.columns) * SIDE
    const bottom = Math.floor(index / raster.columns) * SIDE
    const width = Math.min(SIDE, raster.width - left)
    for (let row = bottom; row < Math.min(bottom + SIDE, raster.height); row++) {
      const start = (row - bottom) * SIDE
      cells.set(tile.subarray(start, start + width), row * raster.width + left)
    }
  }
  return cells
}

export function countCells(raster: Raster, value: number): number {
  let count = 0
  for (const tile of raster.tiles) if (tile !== EMPTY) for (const cell of tile) if (cell === value) count++
  return count
}

/** A grey picture of a map (first row is the top): 254 and more free, nearly black occupied, all else unknown. */
export function gridFromGrey(grey: ArrayLike<number>, width: number, height: number, stride = 1): Raster {
  const cells = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    const from = (height - 1 - row) * width * stride
    for (let column = 0; column < width; column++) {
      const value = grey[from + column * stride] ?? UNKNOWN_GREY // a picture that ends early
      cells[row * width + column] = value >= 250 ? FREE : value <= 50 ? OCCUPIED : UNKNOWN
    }
  }
  return fromFlat(cells, width, height)
}

/** Left, bottom, right and top ends of all cells that are not 0; undefined where all are. */
export function knownEnds(raster: Raster): readonly [number, number, number, number] | undefined {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [index, tile] of raster.tiles.entries()) {
    if (tile === EMPTY) continue
    const x = (index % raster.columns) * SIDE
    const y = Math.floor(index / raster.columns) * SIDE
    if (x >= left && y >= bottom && x + SIDE <= right && y + SIDE <= top) continue // what it has is within already
    for (let i = 0; i < tile.length; i++) {
      if (tile[i] === 0) continue
      const column = x + (i % SIDE)
      const row = y + Math.floor(i / SIDE)
      left = Math.min(left, column)
      right = Math.max(right, column + 1)
      bottom = Math.min(bottom, row)
      top = Math.max(top, row + 1)
    }
  }
  return left < right ? [left, bottom, right, top] : undefined
}
