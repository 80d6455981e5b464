/** Outlines of raster tiles: the closed loops round all cells that pass a test, as vector paths in cells. Drawn as vectors
 * the walls stay crisp at every zoom. Tiles are immutable, so an outline is made once and kept with its tile. */
import { SIDE, type Tile } from './raster'

/** Loops as flat lists x0, y0, x1, y1 … with corners only, in cells of the tile; the inside lies to the left. */
export function loopsOf(tile: Tile, test: (value: number) => boolean): number[][] {
  const pass = new Uint8Array(256)
  for (let value = 0; value < 256; value++) pass[value] = test(value) ? 1 : 0
  const inside = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < SIDE && y < SIDE ? (pass[tile[y * SIDE + x] ?? 0] ?? 0) : 0
  // Edges on grid lines: bit d of out[corner] is set where an edge leaves that corner to 0 east, 1 north, 2 west, 3 south.
  const wide = SIDE + 1
  const out = new Uint8Array(wide * wide)
  const starts: number[] = []
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      if (!inside(x, y)) continue
      const corner = y * wide + x
      if (!inside(x, y - 1)) {
        out[corner] = (out[corner] ?? 0) | 1
        starts.push(corner)
      }
      if (!inside(x + 1, y)) out[corner + 1] = (out[corner + 1] ?? 0) | 2
      if (!inside(x, y + 1)) out[corner + wide + 1] = (out[corner + wide + 1] ?? 0) | 4
      if (!inside(x - 1, y)) out[corner + wide] = (out[corner + wide] ?? 0) | 8
    }
  }
  const step = [1, wide, -1, -wide]
  const loops: number[][] = []
  for (const start of starts) {
    if (!((out[start] ?? 0) & 1)) continue
    const loop: number[] = []
    let corner = start
    let heading = 0
    let last = -1
    do {
      out[corner] = (out[corner] ?? 0) & ~(1 << heading)
      if (heading !== last) loop.push(corner % wide, Math.floor(corner / wide))
      last = heading
      corner += step[heading] ?? 0
      const ways = out[corner] ?? 0
      // Left first keeps cells that only touch at a corner in loops of their own.
      const next = [heading + 1, heading, heading + 3].map((h) => h % 4).find((h) => ways & (1 << h))
      heading = next ?? heading
    } while (corner !== start || (out[corner] ?? 0) & (1 << heading))
    loops.push(loop)
  }
  return loops
}

/** A class of cells with its outlines; make it once per module, it holds what was traced. */
export type Tracer = (tile: Tile) => Path2D | undefined

export function tracer(test: (value: number) => boolean): Tracer {
  const kept = new WeakMap<Tile, Path2D | null>()
  return (tile) => {
    const known = kept.get(tile)
    if (known !== undefined) return known ?? undefined
    const loops = loopsOf(tile, test)
    const path = loops.length > 0 ? new Path2D() : null
    for (const loop of loops) {
      path?.moveTo(loop[0] ?? 0, loop[1] ?? 0)
      for (let i = 2; i < loop.length; i += 2) path?.lineTo(loop[i] ?? 0, loop[i + 1] ?? 0)
      path?.closePath()
    }
    kept.set(tile, path)
    return path ?? undefined
  }
}
