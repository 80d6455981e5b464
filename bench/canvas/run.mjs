/** Frames a second of the map engine in Chromium without a GPU, beside what an empty page reaches in the same run, and the
 * CPU time of a frame over all of Chromium's processes, which other load on the machine does not touch.
 * `node bench/canvas/run.mjs [seconds a mode]`; ends with 1 below the goal. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { chromiumPath } from '../chromium.mjs'

const SHORT = Boolean(process.env.BENCH_SHORT) // just that it still works, judged by no limit
const GOAL = SHORT ? 0 : 55
const OPEN_MS = 1000
const MOST_DECODINGS = SHORT ? Number.POSITIVE_INFINITY : 8 // of its picture, in the time that a map takes to open
const LARGE = SHORT ? 500 : 4000 // cells
const ALL = ['stream', 'follow', 'pan', 'zoom', 'draw', 'edit-pan', 'edit-draw', 'edit-move']
const MODES = SHORT ? ['stream', 'edit-move'] : ALL
const here = fileURLToPath(new URL('.', import.meta.url))
const repository = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(`${repository}console/package.json`)
const { chromium } = require('playwright-core')
const { createServer } = await import(require.resolve('vite').replace(/index\.cjs$/, 'dist/node/index.js'))

const round = (value) => Math.round(value * 10) / 10
const tell = (name, value, unit, { limit, most_floors, ...more } = {}) =>
  console.log(JSON.stringify({ name, value: round(value), unit, ...(!SHORT && { limit, most_floors }), ...more }))
const seconds = Number(process.argv[2] ?? (SHORT ? 0.1 : 6))
const server = await createServer({
  root: here,
  configFile: false,
  logLevel: 'error',
  cacheDir: `${repository}console/node_modules/.vite-bench`,
  server: { host: '127.0.0.1', port: 0, hmr: false, fs: { allow: [repository] } },
})
await server.listen()
const { port } = server.httpServer.address()
const browser = await chromium.launch({
  executablePath: chromiumPath({ whole: !SHORT }),
  args: ['--disable-gpu', '--no-sandbox'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.on('pageerror', (error) => console.error(error))
  const session = await browser.newBrowserCDPSession()
  const cpu = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  }
  const floor = round(
    await page.evaluate(
      (ms) =>
        new Promise((done) => {
          let count = 0
          const start = performance.now()
          const step = () => {
            count++
            const now = performance.now()
            if (now - start < ms) requestAnimationFrame(step)
            else done((1000 * count) / (now - start))
          }
          requestAnimationFrame(step)
        }),
      (seconds * 1000) / 2,
    ),
  )
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.waitForFunction(() => 'ready' in window)
  const ready = await page.evaluate(() => window.ready)
  console.log(`1280x800 px, 2000x2000 cells, 5,000 points at 10 Hz; first picture after ${ready.toFixed(0)} ms`)
  for (const mode of MODES) {
    const before = await cpu()
    const { fps, p95, frames } = await page.evaluate(([m, ms]) => window.measure(m, ms), [mode, seconds * 1000])
    const spent = (1000 * ((await cpu()) - before)) / frames
    tell(`map, ${mode}`, fps, 'fps', { floor, floor_name: 'an empty page', limit: GOAL, at_least: true })
    tell(`map, ${mode}, 95th percentile of a frame`, p95, 'ms')
    tell(`map, ${mode}, CPU time of a frame`, spent, 'ms')
    if (fps < GOAL) process.exitCode = 1
  }
  const { ms, decoded } = await page.evaluate((cells) => window.openMap(cells), LARGE)
  tell(`map, open ${LARGE}x${LARGE}`, ms, 'ms', {
    floor: round(decoded),
    floor_name: 'decoding its picture',
    most_floors: MOST_DECODINGS,
    limit: OPEN_MS,
  })
  if (ms > MOST_DECODINGS * decoded) process.exitCode = 1
} finally {
  await browser.close()
  await server.close()
}
