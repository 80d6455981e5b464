/** Tells furniture from walls in an occupancy grid, which does not know them: what is thick or small is furniture, what is
 * thin and long is wall. Only colours depend on it, never a rule. */
import { piecesOf, type Runs, runsOf } from './pieces'
import { byteAt, cellsOf, flat, fromFlat, integerAt, OCCUPIED, type Raster } from './raster'

export const WALL = OCCUPIED
export const FURNITURE = 3

const THICK = 0.5 // m; walls are 0.28 to 0.4
const SMALL = 0.5 // m; legs of chairs and the like
const LARGEST_PIECE = 12 // m
const LARGEST_GRID = 25e6 // cells; beyond that all is wall, the page must not stand still

const AT_ONCE = 5e6 // cells
const FRAME_MS = 50 // until a frame has been seen

const waiting = new WeakSet<Raster>()
const cache = new WeakMap<Raster, Raster>()

/** The grid with FURNITURE where it is; made once per grid. */
export function structured(grid: Raster, resolution: number): Raster {
  const known = cache.get(grid)
  if (known) return known
  const classified = grid.width * grid.height > LARGEST_GRID ? grid : classify(grid, resolution)
  cache.set(grid, classified)
  return classified
}

/** For a view that must not wait: a large grid is shown as it is, and classified right after; `then` says that it is. */
export function structuredSoon(grid: Raster, resolution: number, then: () => void): Raster {
  const known = cache.get(grid)
  if (known) return known
  if (grid.width * grid.height <= AT_ONCE) return structured(grid, resolution)
  if (!waiting.has(grid)) {
    waiting.add(grid)
    setTimeout(() => {
      structured(grid, resolution)
      then()
    }, FRAME_MS)
  }
  return grid
}

function classify(grid: Raster, resolution: number): Raster {
  const { width, height } = grid
  const cells = flat(grid)
  const runs = runsOf(cells, width, cellsOf(OCCUPIED))
  const thick = opened(runs, width, height, Math.max(3, Math.round(THICK / resolution)))
  const pieces = measure(runs, thick, width)
  for (const [run, piece] of pieces.entries()) {
    const start = integerAt(runs.rows, run) * width + integerAt(runs.starts, run)
    const end = start + integerAt(runs.ends, run) - integerAt(runs.starts, run)
    const across = Math.max(piece.right - piece.left, piece.top - piece.bottom) * resolution
    if (across <= SMALL || (across <= LARGEST_PIECE && piece.thick > piece.cells * 0.4))
      cells.fill(FURNITURE, start, end)
    else for (let index = start; index < end; index++) if (thick[index]) cells[index] = FURNITURE
  }
  return fromFlat(cells, width, height)
}

/** 1 where a square of `side` cells that is occupied throughout holds the cell (a morphological opening). */
function opened({ rows, starts, ends }: Runs, width: number, height: number, side: number): Uint8Array {
  const open = new Uint8Array(width * height)
  const heights = new Int32Array(width) // of what is occupied in a column without a gap, down from `tops`
  const tops = new Int32Array(width).fill(-2)
  for (let run = 0; run < rows.length; run++) {
    const row = integerAt(rows, run)
    const end = integerAt(ends, run)
    let start = integerAt(starts, run) // of columns that are high enough
    for (let column = start; column <= end; column++) {
      if (column < end) {
        heights[column] = tops[column] === row - 1 ? integerAt(heights, column) + 1 : 1
        tops[column] = row
        if (integerAt(heights, column) >= side) continue
      }
      if (column - start >= side)
        for (let y = row - side + 1; y <= row; y++) open.fill(1, y * width + start, y * width + column)
      start = column + 1
    }
  }
  return open
}

/** Occupied cells that hang together: how many, how many of them are thick, and the box round them. */
interface Piece {
  cells: number
  thick: number
  left: number
  right: number
  bottom: number
  top: number
}

/** The piece of each run. */
function measure(runs: Runs, thick: Uint8Array, width: number): Piece[] {
  const pieces = new Map<number, Piece>()
  return Array.from(piecesOf(runs), (root, run) => {
    const row = integerAt(runs.rows, run)
    const start = integerAt(runs.starts, run)
    const end = integerAt(runs.ends, run)
    const piece = pieces.get(root) ?? { cells: 0, thick: 0, left: start, right: end, bottom: row, top: row }
    pieces.set(root, piece)
    piece.cells += end - start
    for (let index = row * width + start; index < row * width + end; index++) piece.thick += byteAt(thick, index)
    piece.left = Math.min(piece.left, start)
    piece.right = Math.max(piece.right, end)
    piece.top = row + 1
    return piece
  })
}
