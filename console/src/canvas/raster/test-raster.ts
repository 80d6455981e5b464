/** For tests. */
import { fromFlat, type Raster } from './raster'

/** A raster from a function of the cells. */
export function rasterOf(width: number, height: number, value: (column: number, row: number) => number): Raster {
  const cells = Uint8Array.from({ length: width * height }, (_, index) =>
    value(index % width, Math.floor(index / width)),
  )
  return fromFlat(cells, width, height)
}
