/** Where two states of a floor differ, so that little is painted anew when little has come. */
import { type Box, boxOf, type Frame, fromCell, pairs } from '../geometry/geometry'
import { type Raster, SIDE } from '../raster/raster'

export const joined = (a: Box | undefined, b: Box | undefined): Box | undefined =>
  a && b
    ? boxOf([
        { x: a.left, y: a.bottom },
        { x: a.right, y: a.top },
        { x: b.left, y: b.bottom },
        { x: b.right, y: b.top },
      ])
    : (a ?? b)

/** The box of the cells that differ; undefined where none do. */
export function changedCells(before: Raster, now: Raster, frame: Frame): Box | undefined {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [index, tile] of now.tiles.entries()) {
    const old = before.tiles[index]
    if (tile === old) continue
    const x = (index % now.columns) * SIDE
    const y = Math.floor(index / now.columns) * SIDE
    for (let i = 0; i < tile.length; i++) {
      if (tile[i] === old?.[i]) continue
      left = Math.min(left, x + (i % SIDE))
      right = Math.max(right, x + (i % SIDE) + 1)
      bottom = Math.min(bottom, y + Math.floor(i / SIDE))
      top = Math.max(top, y + Math.floor(i / SIDE) + 1)
    }
  }
  if (left > right) return undefined
  const ends = [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ] as const
  return boxOf(ends.map(([column, row]) => fromCell(column, row, frame)))
}

/** The box of the points from the first one that differs on (and the one before it, where the line comes from). */
export function changedPath(before: readonly number[], now: readonly number[]): Box | undefined {
  let same = 0
  const shorter = Math.min(before.length, now.length)
  while (same < shorter && before[same] === now[same]) same++
  if (same === before.length && same === now.length) return undefined
  const from = Math.max(0, same - (same % 2) - 2)
  return boxOf(pairs([...before.slice(from), ...now.slice(from)]))
}
