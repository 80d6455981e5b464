/** A map of 2,000 by 2,000 cells (100 by 100 m) with 50 virtual walls, 10 zones and a robot that sends a scan of 5,000 points,
 * its pose and new cells 10 times a second. `measure(mode)` answers frames a second and the 95th percentile of a frame. */
import type { MapDocument, Mark } from '../../console/src/canvas/document'
import { FREE, OCCUPIED, rasterOf, UNKNOWN } from '../../console/src/canvas/raster'
import { area } from '../../console/src/canvas/tools/area'
import { createMapView } from '../../console/src/canvas/view'

export type Mode = 'stream' | 'pan' | 'zoom' | 'follow' | 'draw'

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
const grid = rasterOf(CELLS, CELLS, (x, y) => {
  if (x < 20 || y < 20 || x >= CELLS - 20 || y >= CELLS - 20) return UNKNOWN
  const wall = (x % 200 < 5 && y % 200 > 40) || (y % 200 < 5 && x % 200 > 40)
  if (wall || specks.has(y * CELLS + x)) return OCCUPIED
  const around = near.get(Math.floor(x / 100) * 100 + Math.floor(y / 100)) ?? []
  return around.some((t) => Math.hypot(x - t.x, y - t.y) < t.r) ? OCCUPIED : FREE
})

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
  text: { length: (metres) => `${metres.toFixed(1)} m`, refusal: () => ['refused'] },
})
view.setDocument(map)

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
  draw: (now) => view.tool.move({ x: 52 + 5 * Math.sin(now / 600), y: 53 + 3 * Math.cos(now / 600) }),
}

async function measure(mode: Mode, ms: number) {
  view.fit()
  view.setFollow(false)
  view.zoomStep(18 / view.scale)
  view.centreOn({ x: 50, y: 50 })
  if (mode === 'follow') view.setFollow(true)
  if (mode === 'draw') {
    view.setTool(area(view.editor))
    view.tool.down({ x: 46, y: 48 })
  }
  const timer = setInterval(send, RATE_MS)
  const warm = await frames(500, steps[mode])
  const figures = await frames(ms, steps[mode])
  clearInterval(timer)
  view.setTool(undefined)
  return { ...figures, frames: warm.frames + figures.frames }
}

await frames(50, () => undefined)
Object.assign(window, { measure, ready: performance.now() - began })
