/** `node scroll.mjs URL ROBOTS SECONDS`: loads all robots of the device list as cards, then scrolls through them. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { chromiumPath } from '../chromium.mjs'

const [url, robots, SECONDS] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4] ?? 6)]
const GOAL = 55
const PX_A_FRAME = 60
const LOAD_MS = 300_000
const SHORT = Boolean(process.env.BENCH_SHORT)
const require = createRequire(fileURLToPath(new URL('../../console/package.json', import.meta.url)))
const { chromium } = require('playwright-core')

const round = (value) => Math.round(value * 10) / 10
const tell = (name, value, unit, { limit, ...more } = {}) =>
  console.log(JSON.stringify({ name, value: round(value), unit, ...(!SHORT && limit && { limit }), ...more }))

/** In the page: frames a second while the wall moves. Without a wall, of nothing. */
const frames = ([px, ms]) =>
  new Promise((done) => {
    const wall = window.wall
    const took = []
    let last = performance.now()
    const end = last + ms
    const step = (now) => {
      took.push(now - last)
      last = now
      if (wall) wall.scrollTop -= px
      if (now < end) requestAnimationFrame(step)
      else {
        took.sort((a, b) => a - b)
        done({ fps: (1000 * took.length) / ms, p95: took[Math.floor(took.length * 0.95)] })
      }
    }
    requestAnimationFrame(step)
  })

const browser = await chromium.launch({
  executablePath: chromiumPath({ whole: !SHORT }),
  args: ['--disable-gpu', '--no-sandbox'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const floor = round((await page.evaluate(frames, [0, SECONDS * 500])).fps)
  await page.goto(`${url}/login?redirect=${encodeURIComponent('/device/index')}`)
  await page.locator('input[name=account]').fill('dealer')
  await page.locator('input[name=password]').fill('Lustra-demo-1')
  await page.locator('button[type=submit]').click()
  await page.waitForURL(`${url}/device/index`)
  await page.locator('li[aria-posinset="1"]').waitFor()
  const loaded = await page.evaluate(
    ([wanted, most]) =>
      new Promise((done) => {
        let wall = document.querySelector('li[aria-posinset]').parentElement
        while (wall.scrollHeight <= wall.clientHeight || getComputedStyle(wall).overflowY === 'visible')
          wall = wall.parentElement
        window.wall = wall
        const began = performance.now()
        const look = () => {
          wall.scrollTop = wall.scrollHeight
          const last = Math.max(...[...document.querySelectorAll('li[aria-posinset]')].map((one) => +one.ariaPosInSet))
          if (last >= wanted || performance.now() - began > most) done(last)
          else setTimeout(look, 20)
        }
        look()
      }),
    [robots, LOAD_MS],
  )
  if (loaded < robots) throw new Error(`only ${loaded} of ${robots} robots were loaded`)
  const { fps, p95 } = await page.evaluate(frames, [PX_A_FRAME, SECONDS * 1000])
  tell(`${robots} cards scroll`, fps, 'fps', { floor, floor_name: 'an empty page', limit: GOAL, at_least: true })
  tell(`${robots} cards scroll, 95th percentile of a frame`, p95, 'ms')
} finally {
  await browser.close()
}
