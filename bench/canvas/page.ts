/** A map of 2,000 by 2,000 cells (100 by 100 m) with 50 virtual walls, 10 zones and a robot that sends a scan of 5,000 points,
 * its pose and new cells 10 times a second. `measure(mode)` answers frames a second and the 95th percentile of a frame;
 * for the editor's modes the map has 500 elements and no robot. `openMap(cells)`: ms from a map's picture to its floor on the
 * screen, and ms of decoding that picture, which nobody can do without. */
import type { MapDocument, Mark } from '../../console/src/canvas/document/document'
import { FREE, OCCUPIED, UNKNOWN } from '../../console/src/canvas/raster/raster'
import { rasterOf } from '../../console/src/canvas/raster/test-raster'
import { area } from '../../console/src/canvas/tools/area'
import { select } from '../../console/src/canvas/tools/select'
import { createMapView } from '../../console/src/canvas/view'
import { gridFromPicture } from '../../console/src/canvas/paint/decode'

export type Mode = 'stream' | 'pan' | 'zoom' | 'follow' | 'draw' | 'edit-draw' | 'edit-move' | 'edit-pan'

const CELLS = 2000
const POINTS = 5000
const RATE_MS = 100

let seed = 1
const random = () => {
  seed = (seed * 48271) % 2147483647
  return seed / 2147483647
}

/** Rooms of 10 m with doors, round tables in them, and specks as a real scan leaves them. */
const tables = Array.from({ length: 400 }, () => ({ x: random() * CELLS, y: random() * CELLS, r: 6 + random() * 10 }))
const specks = new Set(
  Array.from({ length: 4000 }, () => Math.floor(random() * CELLS) * CELLS + Math.floor(random() * CELLS)),
)
const near = new Map<number, typeof tables>()
for (const table of tables) {
  const key = Math.floor(table.x / 100) * 100 + Math.floor(table.y / 100)
  near.set(key, [...(near.get(key) ?? []), table])
}
const cell = (x: number, y: number) => {
  if (x < 20 || y < 20 || x >= CELLS - 20 || y >= CELLS - 20) return UNKNOWN
  const wall = (x % 200 < 5 && y % 200 > 40) || (y % 200 < 5 && x % 200 > 40)
  if (wall || specks.has(y * CELLS + x)) return OCCUPIED
  const around = near.get(Math.floor(x / 100) * 100 + Math.floor(y / 100)) ?? []
  return around.some((t) => Math.hypot(x - t.x, y - t.y) < t.r) ? OCCUPIED : FREE
}
const grid = rasterOf(CELLS, CELLS, cell)

const walls: Mark[] = Array.from({ length: 50 }, (_, i) => {
  const at = { x: random() * 98, y: random() * 98 }
  return { id: `w${i}`, kind: 'virtualWall', name: '', points: [at, { x: at.x + 2, y: at.y + 1 }] }
})
const zones: Mark[] = Array.from({ length: 10 }, (_, i) => {
  const { x, y } = { x: 30 + random() * 40, y: 30 + random() * 40 }
  const points = [
    { x, y },
    { x: x + 8, y },
    { x: x + 8, y: y + 6 },
    { x, y: y + 6 },
  ]
  return { id: `z${i}`, kind: 'forbiddenZone', name: `Zone ${i}`, points }
})
const map: MapDocument = {
  id: 'bench',
  name: '',
  revision: 1,
  frame: { width: CELLS, height: CELLS, resolution: 0.05, origin: { x: 0, y: 0, yaw: 0 } },
  grid,
  marks: [...walls, ...zones],
}

const container = document.querySelector<HTMLElement>('#map')
if (!container) throw new Error('no place for the map')
const began = performance.now()
const view = createMapView(container, {
  label: 'bench',
  text: {
    length: (metres) => `${metres.toFixed(1)} m`,
    closed: (hours) => hours,
    private: () => 'private',
    refusal: () => ['refused'],
  },
})
view.setDocument(map)

/** 500 elements of all kinds. */
const many: MapDocument = {
  ...map,
  id: 'edited',
  marks: Array.from({ length: 500 }, (_, i): Mark => {
    const [x, y] = [2 + (i % 25) * 3.9, 2 + Math.floor(i / 25) * 4.8]
    const named = { id: `m${i}`, name: `E${i}` }
    const points = [
      { x, y },
      { x: x + 2.6, y },
      { x: x + 2.6, y: y + 2.2 },
      { x, y: y + 2.2 },
    ]
    if (i % 5 === 0) return { ...named, kind: 'virtualWall', points: points.slice(0, 2) }
    if (i % 5 === 1) return { ...named, kind: 'eraser', points: points.slice(0, 2), width: 0.5 }
    if (i % 5 === 2) return { ...named, kind: 'freeArea', points }
    return i % 5 === 3 ? { ...named, kind: 'forbiddenZone', points } : { ...named, kind: 'stop', at: { x, y, yaw: 0 } }
  }),
}

let tick = 0
const driven: number[] = []
async function send() {
  tick++
  const x = 45 + (tick % 200) * 0.06
  const y = 50 + Math.floor(tick / 200) * 0.5
  driven.push(x, y)
  view.setRobot({ id: 1, x, y, yaw: 0, mode: 'cleaning', uncertainty: 0.1, main: true })
  const ranges = Array.from({ length: POINTS }, (_, i) => 4 + 3 * Math.sin(i / 40) + random() * 0.1)
  view.setLidar({ x, y, yaw: 0, first: -Math.PI, step: (2 * Math.PI) / POINTS, ranges })
  const row = Math.floor(y / 0.05)
  const spans = Array.from({ length: 12 }, (_, i) => [row + i - 6, Math.floor(x / 0.05) - 2, 4]).flat()
  await view.applyCells({ run: 'bench', seq: tick, spans })
  if (tick % 10 === 0) view.setPath({ driven: [...driven], ahead: [x, y, x + 5, y, x + 5, y + 0.5, x, y + 0.5] })
}

function frames(ms: number, each: (now: number) => void): Promise<{ fps: number; p95: number; frames: number }> {
  return new Promise((done) => {
    const times: number[] = []
    let last = performance.now()
    const end = last + ms
    const step = () => {
      const now = performance.now()
      times.push(now - last)
      last = now
      each(now)
      if (now < end) requestAnimationFrame(step)
      else {
        times.shift()
        const sorted = times.toSorted((a, b) => a - b)
        const total = times.reduce((sum, time) => sum + time, 0)
        done({
          fps: (1000 * times.length) / total,
          p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
          frames: times.length,
        })
      }
    }
    requestAnimationFrame(step)
  })
}

const steps: Record<Mode, (now: number) => void> = {
  stream: () => undefined,
  follow: () => undefined,
  pan: (now) => view.panBy(6 * Math.cos(now / 700), 6 * Math.sin(now / 500)),
  zoom: (now) => (Math.sin(now / 1500) > 0 ? view.zoomStep(1.01) : view.zoomStep(1 / 1.01)),
  'edit-pan': (now) => view.panBy(6 * Math.cos(now / 700), 6 * Math.sin(now / 500)),
  'edit-draw': (now) => view.tool.move({ x: 52 + 5 * Math.sin(now / 600), y: 53 + 3 * Math.cos(now / 600) }),
  'edit-move': (now) => view.tool.move({ x: 50.4 + Math.sin(now / 600), y: 51.4 + Math.cos(now / 600) }),
  draw: (now) => view.tool.move({ x: 52 + 5 * Math.sin(now / 600), y: 53 + 3 * Math.cos(now / 600) }),
}

async function measure(mode: Mode, ms: number) {
  const editing = mode.startsWith('edit')
  view.setDocument(editing ? many : map)
  view.setLayers({ metres: editing })
  view.setLidar(undefined)
  view.removeRobot(1)
  view.fit()
  view.setFollow(false)
  view.zoomStep(18 / view.scale)
  view.centreOn({ x: 50, y: 50 })
  if (mode === 'follow') view.setFollow(true)
  if (mode === 'draw') {
    view.setTool(area(view.editor))
    view.tool.down({ x: 46, y: 48 })
  }
  if (mode === 'edit-draw') {
    view.setTool(area(view.editor, { kind: 'forbiddenZone' }))
    view.tool.down({ x: 46, y: 48 })
  }
  if (mode === 'edit-move') {
    view.setTool(select(view.editor, true))
    view.tool.down({ x: 50, y: 51.2 })
  }
  const timer = editing ? 0 : setInterval(send, RATE_MS)
  const warm = await frames(500, steps[mode])
  const figures = await frames(ms, steps[mode])
  clearInterval(timer)
  view.setTool(undefined)
  return { ...figures, frames: warm.frames + figures.frames }
}

async function openMap(cells: number) {
  const canvas = new OffscreenCanvas(cells, cells)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no 2d context')
  const image = context.createImageData(cells, cells)
  const grey = { [FREE]: 254, [OCCUPIED]: 0, [UNKNOWN]: 205 } as Record<number, number>
  for (let i = 0; i < cells * cells; i++) {
    const value = grey[cell((i % cells) % CELLS, Math.floor(i / cells) % CELLS)] ?? 205
    image.data.set([value, value, value, 255], 4 * i)
  }
  context.putImageData(image, 0, 0)
  const picture = await canvas.convertToBlob()
  const start = performance.now()
  const bitmap = await createImageBitmap(picture)
  context.drawImage(bitmap, 0, 0)
  context.getImageData(0, 0, cells, cells)
  const decoded = performance.now() - start
  view.setDocument({ ...map, id: `${cells}`, frame: { ...map.frame, width: cells, height: cells }, grid: undefined })
  await frames(300, () => undefined)
  const from = performance.now()
  const opened = await gridFromPicture(picture)
  view.setDocument({ ...map, id: `${cells}`, frame: { ...map.frame, width: cells, height: cells }, grid: opened })
  await new Promise(requestAnimationFrame)
  return { ms: performance.now() - from, decoded }
}

await frames(50, () => undefined)
Object.assign(window, { measure, openMap, ready: performance.now() - began })
