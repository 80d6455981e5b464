/** The map of the world in Chromium. argv: origin of the console, password of the demo. Lines of the input ask, in JSON:
 * ["open", query], answered by how many markers it has; ["move", seconds], by how long each frame took, ms; and
 * ["wait"], by the time at which more or fewer robots have their emergency stop pressed, ms since 1970. */
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromiumPath } from '../chromium.mjs'

const require = createRequire(fileURLToPath(new URL('../../console/package.json', import.meta.url)))
const { chromium } = require('@playwright/test')
const [origin, password] = process.argv.slice(2)
const WORD = 'Emergency stop'
const LONGEST_MS = 60_000
const SHORT = Boolean(process.env.BENCH_SHORT)
const SETTLE_MS = SHORT ? 300 : 3000 // a map that has just opened still draws its tiles
const SIZE = SHORT ? { width: 480, height: 360 } : { width: 1280, height: 800 } // drawn without a graphics card
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
})
const page = await browser.newPage({ viewport: SIZE, locale: 'en-GB' })

/** Runs in the page: drags the map to and fro in each frame. */
function move(seconds) {
  const canvas = document.querySelector('canvas.maplibregl-canvas')
  const box = canvas.getBoundingClientRect()
  const at = (step) => ({
    bubbles: true,
    buttons: 1,
    clientX: box.x + box.width / 2 + 120 * Math.sin(step / 20),
    clientY: box.y + box.height / 2 + 40 * Math.sin(step / 33),
  })
  canvas.dispatchEvent(new MouseEvent('mousedown', at(0)))
  return new Promise((resolve) => {
    const frames = []
    let step = 0
    let before
    const began = performance.now()
    const draw = (now) => {
      if (before !== undefined) frames.push(now - before)
      before = now
      step += 1
      window.dispatchEvent(new MouseEvent('mousemove', at(step)))
      canvas.dispatchEvent(new MouseEvent('mousemove', at(step)))
      if (now - began < seconds * 1000) return void requestAnimationFrame(draw)
      window.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }))
      resolve(frames)
    }
    requestAnimationFrame(draw)
  })
}

/** Runs in the page: gives what the button of this state says, and begins to wait until it says another number, comes or goes. */
function watch({ word, longestMs }) {
  const label = () => [...document.querySelectorAll('button')].find((each) => each.innerText.includes(word))?.innerText
  const before = label()
  window.changed = new Promise((resolve, reject) => {
    const watcher = new MutationObserver(() => {
      if (label() === before) return
      watcher.disconnect()
      resolve(performance.timeOrigin + performance.now())
    })
    watcher.observe(document.body, { childList: true, subtree: true, characterData: true })
    setTimeout(() => reject(new Error(`still ${before}`)), longestMs)
  })
  return before ?? ''
}

const DEEDS = {
  async open(query) {
    await page.goto(`${origin}/device/deviceAmap${query}`)
    await page.locator('canvas.maplibregl-canvas').waitFor()
    await page.waitForTimeout(SETTLE_MS)
    return page.locator('.maplibregl-marker').count()
  },
  move: (seconds) => page.evaluate(move, seconds),
  watch: () => page.evaluate(watch, { word: WORD, longestMs: LONGEST_MS }),
  changed: () => page.evaluate(() => window.changed),
}

try {
  await page.goto(`${origin}/login?redirect=${encodeURIComponent('/message/index')}`)
  await page.locator('input[name=account]').fill('dealer')
  await page.locator('input[name=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL(`${origin}/message/index`)
  for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...words] = JSON.parse(line)
    console.log(JSON.stringify(await DEEDS[name](...words)))
  }
} finally {
  await browser.close()
}
