/** Cleaned cells of several runs or robots on one floor, as one raster. Tiles that only one of them painted are shared. */
import { emptyRaster, type Raster, type Tile, tileAt } from './raster'

function or(a: Tile, b: Tile): Tile {
  const both = a.slice()
  for (const [i, cell] of b.entries()) if (cell) both[i] = cell
  return both
}

/** The union of rasters of one size; what is undefined is left out. */
export function union(rasters: readonly (Raster | undefined)[]): Raster | undefined {
  const [first, ...rest] = rasters.filter((raster) => raster !== undefined)
  if (!first || rest.length === 0) return first
  const blank = emptyRaster(first.width, first.height).tiles[0]
  const tiles = first.tiles.map((tile, index) =>
    rest.reduce((sum, raster) => {
      const next = tileAt(raster.tiles, index)
      if (next === blank) return sum
      return sum === blank ? next : or(sum, next)
    }, tile),
  )
  return { ...first, tiles }
}
