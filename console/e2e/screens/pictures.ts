/**
 * The pictures of the READMEs, from a demo of its own in the middle of its work: `npm run pictures`. English and Chinese,
 * 1440 × 900, light, in few colours so that the repository stays small.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ask, closeAll, logIn, type Product, startBrowser, startProduct, visitor } from '../product.ts'
import { settle } from './layout.ts'

const FOLDER = new URL('../../../docs/pictures/', import.meta.url).pathname
const PYTHON = new URL('../../../.venv/bin/python', import.meta.url).pathname
const ACCOUNT = 'admin'
const ROBOT = 1 // Kestrel L1-A, whose floor has the largest rooms
const TASK = 'Clean Lobby'
const ENOUGH = 55 // % of the task that is painted in the picture
const WORK_MS = 300_000
const FLOORS = new Set(['control', 'status', 'devices', 'maps', 'report'])
const LANGUAGES = { en: '', 'zh-CN': '.zh' }
const FEW_COLOURS = `
import sys
from PIL import Image
for name in sys.argv[1:]:
    Image.open(name).convert("RGB").quantize(160, dither=Image.Dither.NONE).save(name, optimize=True)
`

/** All that the screen asked for has come, its floors are drawn, and two frames have passed since. */
async function waitUntilDrawn(page: Page, floors: boolean) {
  await page.evaluate(() => document.fonts.ready)
  if (floors) await page.locator('main canvas').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect }) => effect?.getTiming().iterations !== Infinity),
  )
  await settle(page)
}

interface Device {
  deviceId: number
  mode: string
}

async function speed(page: Page, product: Product, factor: number) {
  const { list } = await ask(page, product, '/device/selectDevicePc', { currentPage: 1, pageSize: 30 })
  for (const { deviceId, mode } of list as Device[])
    if (mode !== 'offline') await ask(page, product, '/device/simulate', { deviceId, factor })
}

/** The days before are there, and one robot waits for somebody. */
async function settled(page: Page, product: Product) {
  const ready = async () =>
    (await ask(page, product, '/board/overview', {})).history.done &&
    (await ask(page, product, '/device/selectDeviceCount', {})).modes.emergency > 0
  for (const end = Date.now() + WORK_MS; !(await ready()); await page.waitForTimeout(1000))
    if (Date.now() > end) throw new Error('the demo has not come to its usual state')
}

/** The whole fleet works fast until one robot has painted the better part of a large room. */
async function work(page: Page, product: Product) {
  await logIn(page, product, ACCOUNT, `/control/v3/${ROBOT}`)
  await speed(page, product, 5)
  await settled(page, product)
  const take = page.getByRole('button', { name: /^Take control/ })
  await take.or(page.getByText('You have control')).waitFor()
  if (await take.isVisible()) await take.click()
  await page.getByRole('button', { name: 'End task' }).click()
  await page.getByRole('button', { name: `Start “${TASK}”` }).click({ timeout: WORK_MS })
  const anyway = page.locator('.ant-popconfirm').getByRole('button', { name: 'Start task' })
  await anyway
    .or(page.getByRole('button', { name: /^Pause/ }))
    .first()
    .waitFor()
  if (await anyway.isVisible()) await anyway.click() // the floor is wet of the task before
  await page.getByRole('radiogroup', { name: 'Simulated speed' }).getByText('×20').click()
  const done = async () => Number.parseFloat(await page.getByRole('region', { name: 'Run' }).locator('b').innerText())
  // a run that has ended says how, not how far it is
  for (const end = Date.now() + WORK_MS; !((await done()) >= ENOUGH); await page.waitForTimeout(500))
    if (Date.now() > end) throw new Error(`${TASK} stands at ${await done()} %`)
  await speed(page, product, 1)
}

interface Report {
  taskReportId: number
  cleanedArea: number
}

async function largest(page: Page, product: Product): Promise<number> {
  const { list } = await ask(page, product, '/taskReport/list', { currentPage: 1, pageSize: 100, end: 'finished' })
  const [first] = (list as Report[]).sort((a, b) => b.cleanedArea - a.cleanedArea)
  if (!first) throw new Error('no task was finished')
  return first.taskReportId
}

const product = await startProduct()
const browser = await startBrowser()
const taken: string[] = []
try {
  const worker = await visitor(browser, product)
  await work(worker.page, product)
  const screens = {
    control: `/control/v3/${ROBOT}`,
    status: '/index',
    devices: '/device/index',
    maps: '/device/maplist',
    week: '/device/taskList?building=Kestrel+Quay+Hotel',
    report: `/device/report/${await largest(worker.page, product)}`,
  }
  for (const [language, ending] of Object.entries(LANGUAGES)) {
    const { context, page } = await visitor(browser, product, { language })
    const take = async (name: string) => {
      await waitUntilDrawn(page, FLOORS.has(name))
      const file = join(FOLDER, `${name}${ending}.png`)
      await page.screenshot({ path: file })
      taken.push(file)
    }
    await page.goto(`${product.url}/login`)
    await take('login')
    await logIn(page, product, ACCOUNT)
    for (const [name, path] of Object.entries(screens)) {
      await page.goto(product.url + path)
      await take(name)
    }
    await context.close()
  }
  execFileSync(PYTHON, ['-c', FEW_COLOURS, ...taken])
} finally {
  await closeAll(browser, product)
}
