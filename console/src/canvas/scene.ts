/** Everything that a map view shows, as plain data, and how one frame of it is drawn, from the bottom up (LOOK 5). */

import { changedCells, changedPath, joined } from './document/changes'
import { type MapDocument, type Mark, markById } from './document/document'
import type { WirePath } from './document/wire'
import { type Camera, type Size, toScreen } from './geometry/camera'
import type { Box, Frame } from './geometry/geometry'
import type { Layers } from './layers'
import { fading } from './live'
import { type Ground, NEAR, NEARER, paintGround } from './paint/ground'
import { paintLaneGraph } from './paint/lane-graph'
import { paintEchoes, paintRoute } from './paint/live'
import { paintMarks } from './paint/marks'
import type { Context } from './paint/patterns'
import { picture, RESTS } from './paint/picture'
import { paintRobot } from './paint/robot'
import { type Callout, type Label, paintCallout, paintLabel, paintLabels } from './paint/text'
import type { Palette } from './palette'
import type { Raster } from './raster/raster'
import { structuredSoon } from './raster/structure'
import { union } from './raster/union'
import { lookOf, moves, placeOf, type RobotFrame } from './robots'
import type { Measure } from './tools/measure'
import type { Draft, Refusal } from './tools/tool'

/** Words of the screen's language. */
export interface Texts {
  length(metres: number): string
  /** The hours in which a zone or a room is closed, as its label says them. */
  closed(hours: string): string
  /** That no camera sends pictures in a room. */
  private(): string
  /** What is wrong, with the measure, and the way out. */
  refusal(refusal: Refusal): readonly string[]
}

/** What earlier runs cleaned: `cells` as what the present run cleans, `faded` paler. */
export interface Past {
  readonly cells?: Raster | undefined
  readonly faded?: Raster | undefined
}

export interface Scene {
  map: MapDocument | undefined
  palette: Palette
  layers: Layers
  texts: Texts
  cells: Raster | undefined
  past: Past
  path: WirePath | undefined
  scan: { readonly points: Float32Array; readonly came: number } | undefined
  readonly robots: Map<string | number, RobotFrame>
  labels: readonly Label[]
  callouts: readonly Callout[]
  draft: Draft | undefined
  refusal: Refusal | undefined
  measure: Measure | undefined
  selection: readonly string[]
  marquee: Box | undefined
  /** A tool is in hand. */
  handles: boolean
}

type FloorKey = readonly [
  frame: Frame,
  grid: Raster | undefined,
  palette: Palette,
  earlier: readonly number[] | undefined,
  layers: Layers,
  cells: Raster | undefined,
  driven: readonly number[],
  past: Past,
]

const NO_PATH: readonly number[] = []

/** Only cells and lanes change in part; what else changes, changes the floor. */
function changedFloor(before: FloorKey, now: FloorKey): Box | undefined {
  const [frame, , , , , cells, driven, past] = now
  const others = now.slice(0, 5).some((part, i) => part !== before[i]) || past !== before[7]
  if (others || !cells || !before[5]) return undefined
  return joined(changedCells(before[5], cells, frame), changedPath(before[6], driven)) ?? NOWHERE
}

const NOWHERE: Box = { left: 0, right: 0, bottom: 0, top: 0 }

const AGEING = 1000 // ms between frames that only ages want
const LABELS = 7 // px a metre

/** Draws a frame; the answer is the ms after which the next one is due. */
export type Painter = (context: Context, camera: Camera, view: Size, now: number) => number

export function painter(scene: Scene, again: () => void): Painter {
  const structure = ({ grid, frame }: MapDocument) => grid && structuredSoon(grid, frame.resolution, again)
  const ground = (): Ground | undefined => {
    const { map, layers, cells, past, path } = scene
    if (!map) return undefined
    return {
      map,
      structure: structure(map),
      ...(layers.cleaned && { cells: union([past.cells, cells]), faded: past.faded }),
      driven: path?.driven,
      earlier: path?.earlier,
      lanes: layers.lanes,
    }
  }
  const floor = picture<FloorKey>(
    (context, camera, view, part) => {
      const painted = ground()
      const metres = scene.layers.metres && camera.scale >= NEAR
      if (painted) paintGround(context, { ...painted, metres }, scene.palette, camera, view, part)
    },
    { rim: 0.25, stretch: true, changed: changedFloor },
  )
  // all marks but the one in hand: that is drawn with each frame, by itself, however many others there are
  let still: readonly Mark[] = []
  const atRest = ({ marks: all }: MapDocument): readonly Mark[] => {
    const now = all.filter((mark) => mark.id !== scene.draft?.mark)
    if (now.length !== still.length || now.some((mark, i) => mark !== still[i])) still = now
    return still
  }
  const draw = (context: Context, camera: Camera, view: Size, marks: readonly Mark[]) => {
    const { map, palette, selection, handles, draft, layers, texts } = scene
    if (!map) return
    const drawn = draft && { id: draft.mark, open: draft.open ?? false }
    const look = {
      selection,
      handles,
      drawn,
      layers,
      length: texts.length,
      closed: texts.closed,
      private: texts.private,
    }
    paintMarks({ context, palette, camera, view }, { ...map, marks }, look)
  }
  const marks = picture((context, camera, view) => draw(context, camera, view, still), { rim: 0.1, stretch: false })
  const echo = picture(
    (context, camera, view) => {
      if (scene.scan) paintEchoes(context, scene.scan.points, scene.palette, camera, view)
    },
    { rim: 0.1, stretch: true },
  )
  const lanes = picture(
    (context, camera, view) => {
      const graph = scene.map?.laneGraph
      if (graph) paintLaneGraph(context, graph, scene.palette, camera, view)
    },
    { rim: 0.1, stretch: false },
  )
  const words = picture(
    (context, camera, view) => {
      paintLabels(context, scene.labels, (at) => toScreen(camera, view, at), camera.scale, scene.palette)
    },
    { rim: 0.1, stretch: false },
  )

  const robots = (context: Context, camera: Camera, view: Size, now: number) => {
    let wait = AGEING
    const order = [...scene.robots.values()].sort(
      (a, b) => Number(a.robot.main ?? false) - Number(b.robot.main ?? false),
    )
    for (const robot of order) {
      const at = toScreen(camera, view, placeOf(robot, now))
      paintRobot(context, at, lookOf(robot, now), camera.scale, scene.palette)
      if (!robot.robot.main && robot.robot.name && scene.layers.labels && camera.scale >= LABELS) {
        paintLabel(context, { x: at.x, y: at.y + 17 }, { text: robot.robot.name }, scene.palette, { size: 11 })
      }
      if (robot.robot.note) paintCallout(context, at, { lines: [robot.robot.note], tone: 'plain' }, scene.palette, view)
      if (moves(robot, now)) wait = 0
    }
    return wait
  }

  return (context, camera, view, now) => {
    const { map, palette, layers, path, scan, draft } = scene
    context.fillStyle = palette.out
    context.fillRect(0, 0, view.width, view.height)
    if (!map) return Infinity
    let wait = Infinity
    const soon = (ms: number) => {
      wait = Math.min(wait, ms)
    }
    const near = camera.scale >= NEAR
    const { earlier, driven = NO_PATH } = path ?? {}
    const key: FloorKey = [map.frame, structure(map), palette, earlier, layers, scene.cells, driven, scene.past]
    if (floor.draw(context, key, camera, view, now)) soon(RESTS)
    if (layers.laneGraph && map.laneGraph) lanes.draw(context, [map.laneGraph, palette, near], camera, view, now)
    if (layers.route && near && path) paintRoute(context, path.ahead, palette, camera, view)
    if (layers.marks || layers.flags) {
      marks.draw(
        context,
        [atRest(draft?.map ?? map), map.frame, scene.selection, scene.handles, palette, layers, camera.scale >= NEARER],
        camera,
        view,
        now,
      )
      const inHand = draft && markById(draft.map, draft.mark)
      if (inHand) draw(context, camera, view, [inHand])
    }
    if (layers.lidar && scan && near) {
      const alpha = fading(now - scan.came)
      if (alpha > 0) {
        context.globalAlpha = alpha
        if (echo.draw(context, [scan.points, palette], camera, view, now)) soon(RESTS)
        context.globalAlpha = 1
        soon(alpha === 1 ? Math.max(scan.came + 1000 - now, 0) : 0)
      }
    }
    if (layers.robots && scene.robots.size > 0) soon(robots(context, camera, view, now))
    if (layers.labels && camera.scale >= LABELS) words.draw(context, [scene.labels, palette], camera, view, now)
    if (scene.marquee) paintMarquee(context, scene.marquee, palette, camera, view)
    paintNotes(context, scene, camera, view)
    return wait
  }
}

function paintMarquee(context: Context, box: Box, palette: Palette, camera: Camera, view: Size) {
  const from = toScreen(camera, view, { x: box.left, y: box.top })
  const to = toScreen(camera, view, { x: box.right, y: box.bottom })
  const path = new Path2D()
  path.rect(from.x, from.y, to.x - from.x, to.y - from.y)
  context.globalAlpha = 0.1
  context.fillStyle = palette.drive
  context.fill(path)
  context.globalAlpha = 1
  context.strokeStyle = palette.drive
  context.lineWidth = 1
  context.stroke(path)
}

/** What is said at a place: call-outs, the measuring line, the refusal; above all. */
function paintNotes(
  context: Context,
  { callouts, measure, refusal, palette, texts }: Scene,
  camera: Camera,
  view: Size,
) {
  for (const { at, ...callout } of callouts) paintCallout(context, toScreen(camera, view, at), callout, palette, view)
  if (measure) {
    const from = toScreen(camera, view, measure.from)
    const to = toScreen(camera, view, measure.to)
    context.strokeStyle = palette.tip
    context.lineWidth = 1.5
    context.beginPath()
    context.moveTo(from.x, from.y)
    context.lineTo(to.x, to.y)
    context.stroke()
    const at = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
    paintCallout(context, at, { lines: [texts.length(measure.metres)], tone: 'plain' }, palette, view)
  }
  if (refusal) {
    const lines = texts.refusal(refusal)
    paintCallout(context, toScreen(camera, view, refusal.at), { lines, tone: 'blocked', under: true }, palette, view)
  }
}
