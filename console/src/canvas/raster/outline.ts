/** Outlines of raster tiles: the closed loops round all cells of a class, as vector paths in cells. Drawn as vectors
 * the walls stay crisp at every zoom. Tiles are immutable, so an outline is made once and kept with its tile. */
import { byteAt, type CellClass, SIDE, type Tile, valueAt } from './raster'

const ROW = SIDE + 2 // cells of a row with one beyond each end, which is of no class
const WIDE = SIDE + 1 // corners of a row
const STEP = [1, WIDE, -1, -WIDE] as const
const WHOLE = [0, 0, SIDE, 0, SIDE, SIDE, 0, SIDE] as const

/** Loops as flat lists x0, y0, x1, y1 … with corners only, in cells of the tile; the inside lies to the left. */
export function loopsOf(tile: Tile, which: CellClass): number[][] {
  if (which.next(tile, 0) >= tile.length) return []
  if (which.end(tile, 0) >= tile.length) return [[...WHOLE]]
  const cells = new Uint8Array(ROW * ROW)
  for (let y = 0; y < SIDE; y++) cells.set(tile.subarray(y * SIDE, (y + 1) * SIDE), (y + 1) * ROW + 1)
  // Edges on grid lines: bit d of out[corner] is set where an edge leaves that corner to 0 east, 1 north, 2 west, 3 south.
  const out = new Uint8Array(WIDE * WIDE)
  const starts: number[] = []
  const edge = (corner: number, heading: number) => {
    out[corner] = byteAt(out, corner) | (1 << heading)
  }
  for (let start = which.next(cells, 0); start < cells.length; ) {
    const end = which.end(cells, start)
    const y = Math.floor(start / ROW) - 1
    const corners = y * WIDE - (y + 1) * ROW - 1 // from a cell to the corner at its lower left
    edge(start + corners + WIDE, 3)
    edge(end + corners, 1)
    for (let cell = which.end(cells, start - ROW); cell < end - ROW; cell = which.end(cells, cell + 1)) {
      edge(cell + ROW + corners, 0)
      starts.push(cell + ROW + corners)
    }
    for (let cell = which.end(cells, start + ROW); cell < end + ROW; cell = which.end(cells, cell + 1))
      edge(cell - ROW + corners + WIDE + 1, 2)
    start = which.next(cells, end)
  }
  return starts.flatMap((start) => (byteAt(out, start) & 1 ? [loopFrom(start, out)] : []))
}

/** Follows the edges from a corner until it is met again, and takes them away. */
function loopFrom(start: number, out: Uint8Array): number[] {
  const loop: number[] = []
  let corner = start
  let heading = 0
  let last = -1
  do {
    out[corner] = byteAt(out, corner) & ~(1 << heading)
    if (heading !== last) loop.push(corner % WIDE, Math.floor(corner / WIDE))
    last = heading
    corner += valueAt(STEP, heading)
    const ways = byteAt(out, corner)
    // Left first keeps cells that only touch at a corner in loops of their own.
    const left = (heading + 1) % 4
    const right = (heading + 3) % 4
    if (ways & (1 << left)) heading = left
    else if (!(ways & (1 << heading)) && ways & (1 << right)) heading = right
  } while (corner !== start || byteAt(out, corner) & (1 << heading))
  return loop
}
