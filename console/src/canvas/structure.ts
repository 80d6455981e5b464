/** Tells furniture from walls in an occupancy grid, which does not know them: what is thick or small is furniture, what is
 * thin and long is wall. Only colours depend on it, never a rule. */
import { flat, OCCUPIED, type Raster, rasterOf } from './raster'

export const WALL = OCCUPIED
export const FURNITURE = 3

const THICK = 0.5 // m; walls are 0.28 to 0.4
const SMALL = 0.5 // m; legs of chairs and the like
const LARGEST_PIECE = 12 // m
const LARGEST_GRID = 25e6 // cells; beyond that all is wall, the page must not stand still

const kept = new WeakMap<Raster, Raster>()

/** The grid with FURNITURE where it is; made once per grid. */
export function structured(grid: Raster, resolution: number): Raster {
  const known = kept.get(grid)
  if (known) return known
  const made = grid.width * grid.height > LARGEST_GRID ? grid : classify(grid, resolution)
  kept.set(grid, made)
  return made
}

function classify(grid: Raster, resolution: number): Raster {
  const { width, height } = grid
  const cells = flat(grid)
  const thick = opened(cells, width, height, Math.max(3, Math.round(THICK / resolution)))
  for (const piece of pieces(cells, width, height)) {
    const across = (Math.max(piece.right - piece.left, piece.top - piece.bottom) + 1) * resolution
    let solid = 0
    for (const index of piece.cells) solid += thick[index] ?? 0
    const whole = across <= SMALL || (across <= LARGEST_PIECE && solid > piece.cells.length * 0.4)
    for (const index of piece.cells) if (whole || thick[index]) cells[index] = FURNITURE
  }
  return rasterOf(width, height, (column, row) => cells[row * width + column] ?? 0)
}

/** 1 where a square of `side` cells that is occupied throughout holds the cell (opening, by rows and by columns). */
function opened(cells: Uint8Array, width: number, height: number, side: number): Uint8Array {
  const square = new Uint8Array(cells.length) // 1 at the upper right cell of such a square
  const up = new Uint16Array(width)
  for (let row = 0; row < height; row++) {
    let run = 0
    for (let column = 0; column < width; column++) {
      const index = row * width + column
      up[column] = cells[index] === OCCUPIED ? (up[column] ?? 0) + 1 : 0
      run = (up[column] ?? 0) >= side ? run + 1 : 0
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
      down[column] = left > 0 ? side : Math.max((down[column] ?? 0) - 1, 0)
      if (down[column]) open[index] = 1
      left--
    }
  }
  return open
}

interface Piece {
  cells: number[]
  left: number
  right: number
  bottom: number
  top: number
}

/** Occupied cells that hang together, corners included. */
function* pieces(cells: Uint8Array, width: number, height: number): Generator<Piece> {
  const met = new Uint8Array(cells.length)
  for (let start = 0; start < cells.length; start++) {
    if (cells[start] !== OCCUPIED || met[start]) continue
    const piece: Piece = { cells: [start], left: width, right: 0, bottom: height, top: 0 }
    met[start] = 1
    for (let next = 0; next < piece.cells.length; next++) {
      const index = piece.cells[next] ?? 0
      const column = index % width
      const row = (index - column) / width
      piece.left = Math.min(piece.left, column)
      piece.right = Math.max(piece.right, column)
      piece.bottom = Math.min(piece.bottom, row)
      piece.top = Math.max(piece.top, row)
      for (let y = Math.max(row - 1, 0); y <= Math.min(row + 1, height - 1); y++) {
        for (let x = Math.max(column - 1, 0); x <= Math.min(column + 1, width - 1); x++) {
          const near = y * width + x
          if (met[near] || cells[near] !== OCCUPIED) continue
          met[near] = 1
          piece.cells.push(near)
        }
      }
    }
    yield piece
  }
}
