/** Tells furniture from walls in an occupancy grid, which does not know them: what is thick or small is furniture, what is
 * thin and long is wall. Only colours depend on it, never a rule. */
import { flat, fromFlat, OCCUPIED, type Raster, valueAt } from './raster'

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
  const thick = opened(cells, width, height, Math.max(3, Math.round(THICK / resolution)))
  eachPiece(cells, width, height, (piece) => {
    const across = (Math.max(piece.right - piece.left, piece.top - piece.bottom) + 1) * resolution
    let solid = 0
    for (const index of piece.cells) solid += valueAt(thick, index)
    const whole = across <= SMALL || (across <= LARGEST_PIECE && solid > piece.cells.length * 0.4)
    for (const index of piece.cells) if (whole || thick[index]) cells[index] = FURNITURE
  })
  return fromFlat(cells, width, height)
}

/** 1 where a square of `side` cells that is occupied throughout holds the cell (opening, by rows and by columns). */
function opened(cells: Uint8Array, width: number, height: number, side: number): Uint8Array {
  const square = new Uint8Array(cells.length) // 1 at the upper right cell of such a square
  const up = new Uint16Array(width)
  for (let row = 0; row < height; row++) {
    let run = 0
    for (let column = 0; column < width; column++) {
      const index = row * width + column
      up[column] = cells[index] === OCCUPIED ? valueAt(up, column) + 1 : 0
      run = valueAt(up, column) >= side ? run + 1 : 0
      if (run >= side) square[index] = 1
    }
  }
  const open = new Uint8Array(cells.length)
  const down = new Uint16Array(width)
  for (let row = height - 1; row >= 0; row--) {
    let left = 0
    for (let column = width - 1; column >= 0; column--) {
      const index = row * width + column
      if (square[index]) left = side
      down[column] = left > 0 ? side : Math.max(valueAt(down, column) - 1, 0)
      if (down[column]) open[index] = 1
      left--
    }
  }
  return open
}

interface Piece {
  /** Good until the next piece is asked for. */
  cells: Int32Array
  left: number
  right: number
  bottom: number
  top: number
}

/** Occupied cells that hang together, corners included. No generator: its loops would run a third as fast. */
function eachPiece(cells: Uint8Array, width: number, height: number, take: (piece: Piece) => void) {
  const met = new Uint8Array(cells.length)
  let occupied = 0
  for (let index = 0; index < cells.length; index++) if (cells[index] === OCCUPIED) occupied++
  const queue = new Int32Array(occupied)
  for (let start = 0; start < cells.length; start++) {
    if (cells[start] !== OCCUPIED || met[start]) continue
    let [left, right, bottom, top] = [width, 0, height, 0]
    let end = 1
    queue[0] = start
    met[start] = 1
    for (let next = 0; next < end; next++) {
      const index = valueAt(queue, next)
      const row = Math.floor(index / width)
      const column = index - row * width
      if (column < left) left = column
      if (column > right) right = column
      if (row < bottom) bottom = row
      if (row > top) top = row
      const last = Math.min(column + 1, width - 1)
      for (let y = Math.max(row - 1, 0); y <= Math.min(row + 1, height - 1); y++) {
        for (let near = y * width + Math.max(column - 1, 0); near <= y * width + last; near++) {
          if (met[near] || cells[near] !== OCCUPIED) continue
          met[near] = 1
          queue[end++] = near
        }
      }
    }
    take({ cells: queue.subarray(0, end), left, right, bottom, top })
  }
}
