/** The map of a screen: one canvas in a container, fed by plain calls many times a second, drawn only when something
 * changed or glides. React wraps it and stays out of the way. */
import { actionFor } from './actions'
import { contentBox, type MapDocument, markById } from './document/document'
import { type Element, elements } from './document/elements'
import { type CleanedCells, cleanedCells, type WireCells, type WireLidar, type WirePath } from './document/wire'
import { createEditing } from './editing'
import {
  boxOfFrame,
  type Camera,
  fitBox,
  pan,
  type Size,
  scaleBar,
  seen,
  toMap,
  toScreen,
  zoomAt,
} from './geometry/camera'
import { type Box, beyond, middle, type Point } from './geometry/geometry'
import { hit } from './geometry/hit'
import { listen } from './input'
import { ALL_LAYERS, type Layers } from './layers'
import { echoes } from './live'
import type { MapOptions } from './options'
import { sharpness } from './paint/picture'
import type { Callout, Label } from './paint/text'
import { readPalette } from './palette'
import type { Raster } from './raster/raster'
import { frameOf, placeOf, type Robot } from './robots'
import { type Past, painter, type Scene } from './scene'
import type { Measure } from './tools/measure'
import { select } from './tools/select'
import type { Tool } from './tools/tool'
import { viewActions } from './view-actions'

const PADDING = 24 // px round a fitted map
const ZOOM = 1.4
const REACH = 12 // px: half of LOOK's hit width
const BAR = 110 // px
const NO_PAST: Past = {}

/** On a small stage nothing is kept free: the floor is what there is to see. */
const insetsFor = (inset: MapOptions['inset'] = {}, { width, height }: Size) => {
  const { left = 0, right = 0, top = 0, bottom = 0 } = inset
  const fits = left + right <= width / 3 && top + bottom <= height / 3
  return fits ? { left, right, top, bottom } : {}
}

export type MapView = ReturnType<typeof createMapView>

export function createMapView(container: HTMLElement, options: MapOptions) {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) throw new Error('no 2d context')
  canvas.tabIndex = 0
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', options.label)
  Object.assign(canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', touchAction: 'none' })
  canvas.dir = 'ltr' // floors do not mirror
  container.append(canvas)

  let size: Size = { width: container.clientWidth, height: container.clientHeight }
  let camera: Camera = { x: 0, y: 0, scale: 10 }
  let fitted = true // until somebody pans or zooms, a new size fits anew
  let following = false
  let cleaned: CleanedCells | undefined
  const scene: Scene = {
    map: undefined,
    palette: readPalette(container),
    layers: ALL_LAYERS,
    texts: options.text,
    cells: undefined,
    past: NO_PAST,
    path: undefined,
    scan: undefined,
    robots: new Map(),
    labels: [],
    callouts: [],
    draft: undefined,
    refusal: undefined,
    measure: undefined,
    selection: [],
    marquee: undefined,
    handles: false,
  }

  // Frames: at most one is asked for; none while nothing changes.
  const paint = painter(scene, () => invalidate())
  let frame = 0
  let timer = 0
  let reported: { readonly camera?: Camera; readonly size?: Size } = {}
  const invalidate = () => {
    if (frame === 0) frame = requestAnimationFrame(draw)
  }
  const robotPlaces = (now: number) =>
    new Map([...scene.robots].map(([id, robot]) => [id, toScreen(camera, size, placeOf(robot, now))]))
  const mainRobot = () => [...scene.robots.values()].find(({ robot }) => robot.main)
  function draw() {
    frame = 0
    clearTimeout(timer)
    const now = performance.now()
    const main = following ? mainRobot() : undefined
    if (main) camera = { ...camera, ...placeOf(main, now) }
    if (camera !== reported.camera || size !== reported.size) options.onSeen?.(seen(camera, size))
    reported = { camera, size }
    const sharp = sharpness()
    context?.setTransform(sharp, 0, 0, sharp, 0, 0)
    const wait = context ? paint(context, camera, size, now) : Infinity
    options.onRobots?.(robotPlaces(now))
    options.onFrame?.((at) => toScreen(camera, size, at))
    if (wait === 0) invalidate()
    else if (Number.isFinite(wait)) timer = window.setTimeout(invalidate, wait)
  }

  const tellCamera = () => options.onCamera?.({ scale: camera.scale, following, bar: scaleBar(camera.scale, BAR) })
  const look = (to: Camera, byHand = true) => {
    camera = to
    if (byHand) fitted = false
    tellCamera()
    invalidate()
  }
  const setFollow = (on: boolean) => {
    following = on
    tellCamera()
    invalidate()
  }
  const fitMap = () => {
    const { map } = scene
    if (!map) return
    const { left = 0, right = 0, top = 0, bottom = 0 } = insetsFor(options.inset, size)
    const free = { width: size.width - left - right, height: size.height - top - bottom }
    const padding = Math.min(PADDING, size.width / 30) // a phone has no room to give
    const whole = fitBox(contentBox(map) ?? boxOfFrame(map.frame), free, padding)
    following = false
    look(pan(whole, (left - right) / 2, (top - bottom) / 2), false)
    fitted = true
  }

  const editing = createEditing({ scene, options, reach: () => REACH / camera.scale, invalidate })
  const { editor, steps, show } = editing
  const viewer = select(editor)
  let tool: Tool = viewer
  canvas.style.cursor = tool.cursor

  const middleOfView = (): Point => ({ x: size.width / 2, y: size.height / 2 })
  const zoom = (factor: number, at: Point = middleOfView()) => look(zoomAt(camera, size, at, factor))
  const panBy = (dx: number, dy: number) => {
    following = false
    look(pan(camera, dx, dy))
  }
  const onMap = (at: Point) => toMap(camera, size, at)
  const silence = listen(canvas, {
    press: (at, more) => steps.history !== undefined && tool.down(onMap(at), more),
    menu: (at) => {
      const met = scene.map && hit(scene.map, onMap(at), editor.reach)
      if (met && !scene.selection.includes(met.mark.id)) editor.select(met.mark.id)
    },
    drag: (at) => steps.history && tool.move(onMap(at)),
    release: (at) => steps.history && tool.up(onMap(at)),
    tap: (at) => {
      if (tool === viewer) options.onTap?.(onMap(at))
    },
    hover: (at) => {
      const point = at && onMap(at)
      const inside = point && scene.map ? beyond([point], scene.map.frame).length === 0 : false
      options.onPointer?.(point && { ...point, inside })
    },
    pan: panBy,
    zoom: (at, factor) => zoom(factor, following ? middleOfView() : at),
    finish: () => tool.finish?.(),
    cancel: () => tool.cancel(),
    key: (event) => {
      const action = actionFor(viewActions, event, view, () => true)
      action?.run(view)
      return action !== undefined
    },
  })

  const resize = new ResizeObserver(() => {
    size = { width: container.clientWidth, height: container.clientHeight }
    canvas.width = Math.round(size.width * sharpness())
    canvas.height = Math.round(size.height * sharpness())
    if (fitted) fitMap()
    draw() // at once: a resized canvas is empty
  })
  resize.observe(container)

  const view = {
    editor,
    /** Shows a map. The camera stays while the map is the same one. */
    setDocument: (map: MapDocument | undefined) => {
      const before = scene.map
      const same = map !== undefined && before?.id === map.id
      if (map === before) return
      editing.replace(map, same)
      if (!same || before?.frame.width !== map.frame.width || before.frame.height !== map.frame.height) {
        const fresh: CleanedCells | undefined =
          map &&
          cleanedCells(map.frame.width, map.frame.height, (raster) => {
            if (cleaned !== fresh) return // a late picture of the map before
            scene.cells = raster
            invalidate()
          })
        cleaned = fresh
        scene.cells = undefined
        scene.past = NO_PAST
      }
      show(map)
      if (!same || (fitted && !before?.grid)) fitMap()
    },
    get document() {
      return scene.map
    },
    /** After light or dark was chosen. */
    setTheme: () => {
      scene.palette = readPalette(container)
      invalidate()
    },
    setRobot: (robot: Robot) => {
      const now = performance.now()
      scene.robots.set(robot.id, frameOf(robot, scene.robots.get(robot.id), now))
      invalidate()
    },
    removeRobot: (id: string | number) => {
      scene.robots.delete(id)
      invalidate()
    },
    setLidar: (scan: WireLidar | undefined) => {
      scene.scan = scan && { points: echoes(scan), came: performance.now() }
      invalidate()
    },
    setPath: (path: WirePath | undefined) => {
      scene.path = path
      invalidate()
    },
    /** False after a gap: ask for a full picture. */
    applyCells: (message: WireCells): Promise<boolean> => cleaned?.apply(message) ?? Promise.resolve(false),
    /** Cells of another source, such as a report. */
    setCells: (raster: Raster | undefined) => {
      scene.cells = raster
      invalidate()
    },
    /** What earlier runs cleaned on this floor. */
    setPast: (past: Past) => {
      scene.past = past
      invalidate()
    },
    setLabels: (labels: readonly Label[]) => {
      scene.labels = labels
      invalidate()
    },
    setCallouts: (callouts: readonly Callout[]) => {
      scene.callouts = callouts
      invalidate()
    },
    get layers(): Layers {
      return scene.layers
    },
    setLayers: (layers: Partial<Layers>) => {
      scene.layers = { ...scene.layers, ...layers }
      invalidate()
    },
    /** Without a tool the map is looked at: a press selects, a drag pans. */
    setTool: (next: Tool | undefined) => {
      tool.cancel()
      tool = next ?? viewer
      scene.handles = tool !== viewer
      invalidate()
      canvas.style.cursor = tool.cursor
    },
    showMeasure: (measure: Measure | undefined) => {
      scene.measure = measure
      options.onMeasure?.(measure)
      invalidate()
    },
    select: editor.select,
    finish: () => tool.finish?.(),
    fitShape: () => tool.fit?.(),
    cancel: () => tool.cancel(),
    get drawing() {
      return scene.draft !== undefined
    },
    get refused() {
      return scene.refusal !== undefined && scene.draft !== undefined
    },
    remove: editing.remove,
    get chosen() {
      return editing.chosen()
    },
    paste: editing.paste,
    /** Something is chosen that the tool in hand may move. */
    get canNudge() {
      return tool.moves === true && scene.selection.length > 0
    },
    nudge: editing.nudge,
    undo: editing.undo,
    redo: editing.redo,
    get canUndo() {
      return (steps.history?.past.length ?? 0) > 0
    },
    get canRedo() {
      return (steps.history?.future.length ?? 0) > 0
    },
    get tool() {
      return tool
    },
    get scale() {
      return camera.scale
    },
    /** Too small to keep any of it free. */
    get small() {
      return insetsFor(options.inset, size).bottom === undefined
    },
    /** The part of the map that is seen. */
    get seen(): Box {
      return seen(camera, size)
    },
    /** The map's point in the middle of the view. */
    get middle(): Point {
      return onMap(middleOfView())
    },
    /** Zooms about the middle of the view. */
    zoomStep: (factor: number) => zoom(factor),
    zoomIn: () => zoom(ZOOM),
    zoomOut: () => zoom(1 / ZOOM),
    fit: fitMap,
    panBy,
    get following() {
      return following
    },
    get canFollow() {
      return mainRobot() !== undefined
    },
    setFollow,
    centreOn: ({ x, y }: Point) => {
      following = false
      look({ ...camera, x, y })
    },
    /** Brings a mark into the middle and selects it, for lists. */
    goTo: (id: string) => {
      const mark = scene.map && markById(scene.map, id)
      if (!mark) return
      editor.select(id)
      following = false
      look({ ...camera, ...('at' in mark ? { x: mark.at.x, y: mark.at.y } : middle(mark.points)) })
    },
    /** px of a map point in the container, for call-outs of the page. */
    project: (at: Point): Point => toScreen(camera, size, at),
    elements: (): Element[] => (scene.map ? elements(scene.map) : []),
    focus: () => canvas.focus(),
    destroy: () => {
      silence()
      resize.disconnect()
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      canvas.remove()
    },
  }
  return view
}
