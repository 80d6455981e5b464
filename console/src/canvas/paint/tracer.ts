/** Outlines as the browser's paths. A tile never changes, so its path is made once. */
import { loopsOf } from '../raster/outline'
import { type CellClass, type Tile, valueAt } from '../raster/raster'

/** A class of cells with its outlines; make it once per module, it holds what was traced. */
export type Tracer = (tile: Tile) => Path2D | undefined

export function tracer(which: CellClass): Tracer {
  const outlines = new WeakMap<Tile, Path2D | null>()
  return (tile) => {
    const known = outlines.get(tile)
    if (known !== undefined) return known ?? undefined
    const loops = loopsOf(tile, which)
    const path = loops.length > 0 ? new Path2D() : null
    for (const loop of loops) {
      path?.moveTo(valueAt(loop, 0), valueAt(loop, 1))
      for (let i = 2; i < loop.length; i += 2) path?.lineTo(valueAt(loop, i), valueAt(loop, i + 1))
      path?.closePath()
    }
    outlines.set(tile, path)
    return path ?? undefined
  }
}
