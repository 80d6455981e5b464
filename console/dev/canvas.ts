/** Shows what the map engine draws, for eyes and screenshots. Not part of the build. ?dark, ?draw */
import { readPalette } from '../src/canvas/palette'
import { rasterOf } from '../src/canvas/raster/raster'
import { renderStill, renderTile } from '../src/canvas/tile'
import { area } from '../src/canvas/tools/area'
import { createMapView } from '../src/canvas/view'
import { ahead, driven, earlier, floor, labels, pose, scan, swept } from './canvas-floor'

const query = new URLSearchParams(location.search)
if (query.has('dark')) document.documentElement.dataset.theme = 'dark'

const length = (metres: number) => `${metres.toFixed(1)} m`
const container = document.querySelector<HTMLElement>('#map')
if (!container) throw new Error('no place for the map')
const view = createMapView(container, {
  label: 'Floor 1',
  inset: { left: 40 },
  text: {
    length,
    refusal: ({ width, height }) => [
      width === undefined
        ? 'This lies beyond the map'
        : `${length(width)} × ${length(height ?? 0)} lies beyond the map`,
      'Drag the corner back, or press F to fit',
    ],
  },
})
const cells = swept(earlier, driven)
view.setDocument(floor)
view.setCells(cells)
view.setPath({ earlier, driven, ahead })
view.setLabels(labels)
view.setLidar(scan(pose))
setInterval(() => view.setLidar(scan(pose)), 500)
view.setRobot({ id: 1, ...pose, mode: 'cleaning', uncertainty: 0.3, main: true })
view.setRobot({ id: 2, x: 11.2, y: 20, yaw: 0, mode: 'paused', name: 'L1-C' })
view.setCallouts([{ at: pose, lines: ['0.54 m/s · lane 18'], tone: 'plain' }])
if (query.has('draw')) {
  view.setLayers({ metres: true })
  const tool = area(view.editor)
  view.setTool(tool)
  tool.down({ x: 41, y: 12 })
  tool.move({ x: 46, y: 14 })
  tool.move({ x: 51, y: 15 })
}

const palette = readPalette(container)
const modes = ['help', 'moving', 'offline', 'charging', 'idle', 'manual', 'riding', 'emergency'] as const
for (const [i, canvas] of document.querySelectorAll<HTMLCanvasElement>('#cards canvas').entries()) {
  const others = modes.map((mode, n) => ({ mode, x: 4 + n * 5.5, y: 16.5 + (n % 2) * 4, yaw: n }))
  renderTile(canvas, {
    document: floor,
    palette,
    cells,
    driven: i > 1 ? [] : [...earlier, ...driven],
    robots: i === 0 ? [{ ...pose, mode: 'cleaning', main: true }] : others,
    furniture: i !== 2,
  })
}
const still = document.querySelector<HTMLCanvasElement>('#still')
if (still) {
  const part = (left: number, bottom: number, right: number, top: number) =>
    rasterOf(floor.frame.width, floor.frame.height, (column, row) =>
      Number(column > left * 20 && column < right * 20 && row > bottom * 20 && row < top * 20),
    )
  renderStill(still, {
    document: floor,
    palette,
    cells,
    earlier: [...earlier, ...driven],
    missed: part(13, 4, 18, 6),
    blocked: part(27, 6, 30, 9),
    callouts: [{ at: { x: 15, y: 4 }, lines: ['Missed 8.3 m²'], tone: 'missed' }],
  })
}
Object.assign(window, { view })
