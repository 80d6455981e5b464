/** Cleaned cells of several robots on one floor, as one raster. Tiles that only one of them painted are shared, not copied. */
import { emptyRaster, type Raster, type Tile } from '@/canvas/raster/raster'

function or(a: Tile, b: Tile): Tile {
  const both = a.slice()
  for (const [i, cell] of b.entries()) if (cell) both[i] = cell
  return both
}

/** The union of rasters of one size. */
export function union(rasters: readonly Raster[]): Raster | undefined {
  const [first, ...rest] = rasters
  if (!first || rest.length === 0) return first
  const blank = emptyRaster(first.width, first.height).tiles[0]
  const tiles = first.tiles.map((tile, index) =>
    rest.reduce((sum, raster) => {
      const next = raster.tiles[index]
      if (!next || next === blank) return sum
      return sum === blank ? next : or(sum, next)
    }, tile),
  )
  return { ...first, tiles }
}
