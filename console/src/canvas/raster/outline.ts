/** Outlines of raster tiles: the closed loops round all cells that pass a test, as vector paths in cells. Drawn as vectors
 * the walls stay crisp at every zoom. Tiles are immutable, so an outline is made once and kept with its tile. */
import { SIDE, type Tile, valueAt } from './raster'

const ROW = SIDE + 2 // cells of a row with one beyond each end, which never pass
const WIDE = SIDE + 1 // corners of a row
const STEP = [1, WIDE, -1, -WIDE] as const
const WHOLE = [0, 0, SIDE, 0, SIDE, SIDE, 0, SIDE] as const

/** Loops as flat lists x0, y0, x1, y1 … with corners only, in cells of the tile; the inside lies to the left. */
export function loopsOf(tile: Tile, test: (value: number) => boolean): number[][] {
  const pass = new Uint8Array(256)
  for (let value = 0; value < 256; value++) pass[value] = test(value) ? 1 : 0
  const inside = new Uint8Array(ROW * ROW)
  let count = 0
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const passes = valueAt(pass, valueAt(tile, y * SIDE + x))
      inside[(y + 1) * ROW + x + 1] = passes
      count += passes
    }
  }
  if (count === 0) return []
  if (count === SIDE * SIDE) return [[...WHOLE]]
  // Edges on grid lines: bit d of out[corner] is set where an edge leaves that corner to 0 east, 1 north, 2 west, 3 south.
  const out = new Uint8Array(WIDE * WIDE)
  const starts: number[] = []
  const edge = (corner: number, heading: number) => {
    out[corner] = valueAt(out, corner) | (1 << heading)
  }
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const cell = (y + 1) * ROW + x + 1
      if (!inside[cell]) continue
      const corner = y * WIDE + x
      if (!inside[cell - ROW]) {
        edge(corner, 0)
        starts.push(corner)
      }
      if (!inside[cell + 1]) edge(corner + 1, 1)
      if (!inside[cell + ROW]) edge(corner + WIDE + 1, 2)
      if (!inside[cell - 1]) edge(corner + WIDE, 3)
    }
  }
  return starts.flatMap((start) => (valueAt(out, start) & 1 ? [loopFrom(start, out)] : []))
}

/** Follows the edges from a corner until it is met again, and takes them away. */
function loopFrom(start: number, out: Uint8Array): number[] {
  const loop: number[] = []
  let corner = start
  let heading = 0
  let last = -1
  do {
    out[corner] = valueAt(out, corner) & ~(1 << heading)
    if (heading !== last) loop.push(corner % WIDE, Math.floor(corner / WIDE))
    last = heading
    corner += valueAt(STEP, heading)
    const ways = valueAt(out, corner)
    // Left first keeps cells that only touch at a corner in loops of their own.
    const left = (heading + 1) % 4
    const right = (heading + 3) % 4
    if (ways & (1 << left)) heading = left
    else if (!(ways & (1 << heading)) && ways & (1 << right)) heading = right
  } while (corner !== start || valueAt(out, corner) & (1 << heading))
  return loop
}
