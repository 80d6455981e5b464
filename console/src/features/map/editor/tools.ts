/** The editor's tools: what they are called, the key that takes them up, and what they draw. */
import {
  IconEraser,
  IconFlag,
  IconHandStop,
  IconLine,
  IconMarquee2,
  IconPointer,
  IconPolygon,
  IconRulerMeasure,
  IconSlice,
} from '@tabler/icons-react'
import {
  type Flag,
  isFlag,
  type MapDocument,
  type Mark,
  type MarkKind,
  newId,
  pointsOf,
  withMark,
} from '@/canvas/document/document'
import { ERASER } from '@/canvas/document/to-row'
import type { WireZone } from '@/canvas/document/wire'
import { beyond, clamp, type Point } from '@/canvas/geometry/geometry'
import { type Snaps, snapping } from '@/canvas/geometry/snap'
import { area } from '@/canvas/tools/area'
import { eraser } from '@/canvas/tools/eraser'
import { flag } from '@/canvas/tools/flag'
import { type Measure, measure } from '@/canvas/tools/measure'
import { hand, select } from '@/canvas/tools/select'
import { splitter } from '@/canvas/tools/splitter'
import type { Editor, Tool } from '@/canvas/tools/tool'
import { virtualWall } from '@/canvas/tools/virtual-wall'

export type ToolId = (typeof TOOLS)[number]['id']

/** `label`: a key of the texts; `how`: what the status line says while the tool is in hand. */
export const TOOLS = [
  { id: 'select', key: 'v', icon: IconPointer, label: 'tool-select', how: 'how-select' },
  { id: 'hand', key: 'h', icon: IconHandStop, label: 'tool-hand', how: 'how-hand' },
  { id: 'virtualWall', key: 'w', icon: IconLine, label: 'virtual-wall', how: 'how-wall' },
  { id: 'forbiddenZone', key: 'z', icon: IconPolygon, label: 'no-go-zone', how: 'how-zone' },
  { id: 'freeArea', key: 'a', icon: IconMarquee2, label: 'tool-area', how: 'how-zone' },
  { id: 'split', key: 'k', icon: IconSlice, label: 'tool-split', how: 'how-split' },
  { id: 'eraser', key: 'e', icon: IconEraser, label: 'eraser', how: 'how-eraser' },
  { id: 'flag', key: 'p', icon: IconFlag, label: 'map-point', how: 'how-flag' },
  { id: 'measure', key: 'm', icon: IconRulerMeasure, label: 'tool-measure', how: 'how-measure' },
] as const

const LETTER: Partial<Record<MarkKind, string>> = { virtualWall: 'W', forbiddenZone: 'Z', freeArea: 'A', eraser: 'E' }

/** The lowest free one of W1, W2 … */
function freeName(map: MapDocument, kind: MarkKind): string {
  const letter = LETTER[kind] ?? 'P'
  const taken = new Set(map.marks.map((mark) => mark.name.split(' ')[0]))
  for (let n = 1; ; n++) if (!taken.has(`${letter}${n}`)) return `${letter}${n}`
}

interface Hands {
  readonly flagKind: () => Flag['kind']
  readonly snaps: () => Snaps
  readonly onMeasure: (measure: Measure | undefined) => void
  /** The name of a room's new part. */
  readonly roomName: () => string
}

export function makeTool(id: ToolId, editor: Editor, { flagKind, snaps, onMeasure, roomName }: Hands): Tool {
  const named = (kind: MarkKind) => () => freeName(editor.map, kind)
  const meant = (tool: Tool) => snapping(tool, editor, snaps)
  switch (id) {
    case 'select':
      return select(editor, true)
    case 'hand':
      return hand()
    case 'virtualWall':
      return meant(virtualWall(editor, named('virtualWall')))
    case 'forbiddenZone':
    case 'freeArea':
      return meant(area(editor, { kind: id, name: named(id) }))
    case 'split':
      return meant(splitter(editor, roomName))
    case 'eraser':
      return eraser(editor, named('eraser'))
    case 'flag':
      return flag(editor, { kind: flagKind(), name: named('other') })
    case 'measure':
      return measure(onMeasure)
  }
}

/** The map with zones that came from elsewhere, each named in its turn. */
export const withZones = (map: MapDocument, zones: readonly WireZone[]): MapDocument =>
  zones.reduce((so, { points }) => {
    const name = freeName(so, 'forbiddenZone')
    const corners = points.map(([x = 0, y = 0]) => ({ x, y }))
    return withMark(so, { id: newId(), kind: 'forbiddenZone', name, points: corners })
  }, map)

/** The mark with nothing of it beyond the map. */
export const fitted = (mark: Mark, { frame }: MapDocument): Mark =>
  isFlag(mark)
    ? { ...mark, at: { ...mark.at, ...clamp(mark.at, frame) } }
    : { ...mark, points: mark.points.map((at) => clamp(at, frame)) }

/** For hands that hold no mouse: the tool's thing of a usual size about a point; undefined where it does not fit. */
export function placed(map: MapDocument, id: ToolId, kind: Flag['kind'], { x, y }: Point): Mark | undefined {
  const at = (dx: number, dy: number): Point => ({ x: x + dx, y: y + dy })
  const create = (): Mark | undefined => {
    switch (id) {
      case 'virtualWall':
        return { id: newId(), kind: id, name: freeName(map, id), points: [at(-1, 0), at(1, 0)] }
      case 'eraser':
        return { id: newId(), kind: id, name: freeName(map, id), points: [at(-0.5, 0), at(0.5, 0)], width: ERASER }
      case 'forbiddenZone':
      case 'freeArea':
        return { id: newId(), kind: id, name: freeName(map, id), points: [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)] }
      case 'flag':
        return { id: newId(), kind, name: freeName(map, kind), at: { x, y, yaw: 0 } }
      default:
        return undefined
    }
  }
  const mark = create()
  return mark && beyond(pointsOf(mark), map.frame).length === 0 ? mark : undefined
}
