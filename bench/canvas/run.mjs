/** Frames a second of the map engine in Chromium without a GPU, beside what an empty page reaches in the same run.
 * `node bench/canvas/run.mjs [seconds a mode]`; ends with 1 below the goal. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const GOAL = 55
const here = fileURLToPath(new URL('.', import.meta.url))
const repository = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(`${repository}console/package.json`)
const { chromium } = require('playwright-core')
const { createServer } = await import(require.resolve('vite').replace(/index\.cjs$/, 'dist/node/index.js'))

const seconds = Number(process.argv[2] ?? 6)
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
  executablePath: process.env.LUSTRA_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--disable-gpu', '--no-sandbox'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.on('pageerror', (error) => console.error(error))
  const floor = await page.evaluate(
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
  )
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.waitForFunction(() => 'ready' in window)
  const ready = await page.evaluate(() => window.ready)
  console.log(`map engine, 1280x800, 2000x2000 cells, 5,000 points at 10 Hz, no GPU; empty page ${floor.toFixed(1)} fps`)
  console.log(`first picture after ${ready.toFixed(0)} ms`)
  let lowest = Infinity
  for (const mode of ['stream', 'follow', 'pan', 'zoom', 'draw']) {
    const { fps, p95 } = await page.evaluate(([m, ms]) => window.measure(m, ms), [mode, seconds * 1000])
    lowest = Math.min(lowest, fps)
    const share = ((100 * fps) / floor).toFixed(0)
    console.log(`${mode.padEnd(8)} ${fps.toFixed(1).padStart(5)} fps  ${share.padStart(3)} % of the empty page  p95 ${p95.toFixed(0)} ms`)
  }
  console.log(`lowest ${lowest.toFixed(1)} fps, goal ${GOAL}`)
  process.exitCode = lowest >= GOAL ? 0 : 1
} finally {
  await browser.close()
  await server.close()
}
