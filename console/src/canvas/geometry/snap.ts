/** Snapping: what a pointer near a wall, a right angle or a metre line means. Free of DOM. */
import { isFlag, type MapDocument } from '../document/document'
import { cellAt, OCCUPIED } from '../raster/raster'
import type { Editor, Tool } from '../tools/tool'
import { clamp, distance, fromCell, type Point, toCell, toGrid } from './geometry'

export interface Snaps {
  readonly walls: boolean
  readonly right: boolean
  readonly metres: boolean
}

const ANGLE = Math.tan((8 * Math.PI) / 180) // off an axis by less is meant to lie on it

/** The nearest occupied cell's middle, or a point of another mark, within reach. */
function nearWall(map: MapDocument, at: Point, reach: number): Point | undefined {
  let best: Point | undefined
  let least = reach
  const take = (p: Point) => {
    const far = distance(p, at)
    if (far < least) [best, least] = [p, far]
  }
  for (const mark of map.marks) if (!isFlag(mark)) mark.points.forEach(take)
  const { grid, frame } = map
  if (best || !grid) return best
  const [column, row] = toCell(at, frame)
  const cells = Math.min(40, Math.ceil(reach / frame.resolution))
  for (let dy = -cells; dy <= cells; dy++) {
    for (let dx = -cells; dx <= cells; dx++) {
      if (cellAt(grid, column + dx, row + dy) === OCCUPIED) take(fromCell(column + dx + 0.5, row + dy + 0.5, frame))
    }
  }
  return best
}

/** The point that is meant; `from`: the other end of the line in hand. Axes are the map's own. */
export function snapped(map: MapDocument, at: Point, from: Point | undefined, snaps: Snaps, reach: number): Point {
  const wall = snaps.walls ? nearWall(map, at, reach) : undefined
  if (wall) return wall
  const { frame } = map
  let { x, y } = toGrid(at, frame)
  if (snaps.metres) {
    const cells = 1 / frame.resolution
    x = Math.round(x / cells) * cells
    y = Math.round(y / cells) * cells
  }
  if (snaps.right && from) {
    const origin = toGrid(from, frame)
    const [dx, dy] = [Math.abs(x - origin.x), Math.abs(y - origin.y)]
    if (dy < dx * ANGLE) y = origin.y
    else if (dx < dy * ANGLE) x = origin.x
  }
  const meant = fromCell(x, y, frame)
  return snaps.metres ? clamp(meant, frame) : meant
}

/** The tool with a hand that snaps. `snaps` is read at each move, so that a switch needs no new tool. */
export function snapping(tool: Tool, editor: Editor, snaps: () => Snaps): Tool {
  let from: Point | undefined
  const meant = (at: Point) => snapped(editor.map, at, from, snaps(), editor.reach)
  return {
    ...tool,
    down: (at) => {
      const to = meant(at)
      const taken = tool.down(to)
      from = to
      return taken
    },
    move: (at) => tool.move(meant(at)),
    up: (at) => tool.up(meant(at)),
    cancel: () => {
      from = undefined
      tool.cancel()
    },
  }
}
