/** The product's main job, as a new user does it: a map is imported and given to a robot, the robot cleans it, the report says so. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { axe } from './axe.ts'
import { closeAll, logIn, visitor } from './product.ts'
import { browser, product } from './stage.ts'

const SAMPLE = ['yaml', 'pgm'].map((end) => new URL(`../../docs/samples/floor.${end}`, import.meta.url).pathname)
const ROBOT = 'Kestrel L1-B' // charges, and has no task of its own
const WORK_MS = 240_000 // a small area, docking included, on a machine that has other work

const speedUp = (page: Page, factor: string) =>
  page.getByRole('radiogroup', { name: 'Simulated speed' }).getByText(factor).click()

/** Drags on a map that stands still, from one place to another; places are parts of its width and height. */
async function drag(map: Locator, from: readonly [number, number], to: readonly [number, number]) {
  await map.hover({ position: { x: 4, y: 4 } }) // waits until it is shown and stands still
  const box = await map.boundingBox()
  assert.ok(box)
  const at = ([x, y]: readonly [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const
  const { mouse } = map.page()
  await mouse.move(...at(from))
  await mouse.down()
  await mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]))
  await mouse.move(...at(to))
  await mouse.up()
}

async function choose(page: Page, select: Locator, option: string | RegExp) {
  await select.click()
  await page.locator('.ant-select-item-option').filter({ hasText: option }).first().click()
}

test('[route.index] [route.device.index] [state.device_online.offline] the fleet is seen: floors, twelve robots, the offline one with when and why', async () => {
  const { context, page, faults } = await visitor(browser, product)
  await logIn(page, product, 'admin')
  await page.getByText('12 robots').first().waitFor()
  await page.getByText('Jade Gate Mall').first().waitFor()
  await page.goto(`${product.url}/device/index`)
  await page.getByText('All 12').waitFor()
  await page.getByText(/Switched off since/).waitFor()
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(faults, [])
  await context.close()
})

test('[route.device.maplist] [route.control.v3.deviceId] [route.device.report] a map made elsewhere becomes a cleaned floor and a report', async () => {
  const { context, page, faults } = await visitor(browser, product)
  await logIn(page, product, 'admin', '/device/maplist')

  // import, give to a robot, place the charger
  await page.getByRole('button', { name: 'Import map' }).first().click()
  await page.locator('input[type=file]').setInputFiles(SAMPLE)
  await page.getByLabel('Map name').fill('Sample ward')
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  const inLibrary = page.getByRole('article').filter({ hasText: 'Sample ward' }).filter({ hasText: 'In the library' })
  await inLibrary.getByRole('button', { name: 'More: Sample ward' }).click()
  await page.getByRole('menuitem', { name: 'Give to a robot' }).click()
  const give = page.getByRole('dialog')
  await choose(page, give.getByRole('combobox'), ROBOT)
  await give.getByRole('button', { name: 'Give to a robot' }).click()
  const onRobot = page
    .getByRole('article')
    .filter({ hasText: 'Sample ward' })
    .filter({ hasText: `On ${ROBOT}` })
  await onRobot.getByRole('button', { name: 'More: Sample ward' }).click()
  await page.getByRole('menuitem', { name: 'Place dock' }).click()
  const floor = page.getByRole('dialog').locator('[data-floor=shown] canvas')
  await drag(floor, [0.5, 0.53], [0.56, 0.53])
  await page.getByRole('button', { name: 'Save to the robot' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  // control, the new map, an area, a task
  await page.goto(`${product.url}/device_control/index`)
  await page.getByRole('listitem').filter({ hasText: ROBOT }).getByRole('link', { name: 'Open control' }).click()
  await page.getByRole('button', { name: /^Take control/ }).click()
  await page.getByText('You have control').waitFor()
  await speedUp(page, '×5') // fast, yet slow enough for a pause
  await choose(page, page.getByRole('combobox', { name: 'Map' }), 'Sample ward')
  await page.getByText('Switching the map ends all tasks. Continue?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch map' }).click()
  await page.getByLabel(/Live map of .*Sample ward/).waitFor()
  await page.getByRole('button', { name: 'New task' }).click()
  assert.equal(await page.getByRole('button', { name: 'Save to the robot' }).isDisabled(), true)
  await page.getByText('Draw the start point first').waitFor()
  const map = page.locator('[data-floor=shown] canvas[aria-label^="Live map of"]')
  await drag(map, [0.42, 0.49], [0.6, 0.58])
  await page.getByText('Press where the robot begins').waitFor()
  await drag(map, [0.52, 0.53], [0.53, 0.53])
  await page.getByText('Draw the start point first').waitFor({ state: 'detached' })
  await page.getByLabel('Task name').fill('Morning round')
  await page.getByRole('button', { name: 'Save to the robot' }).click()
  const task = page.getByRole('listitem').filter({ hasText: 'Morning round' })
  await task.getByRole('button', { name: 'Start “Morning round”' }).click()

  // it cleans; pause and resume; it finishes and docks
  await page.getByText('Cleaning', { exact: true }).first().waitFor({ timeout: WORK_MS })
  await page.getByRole('button', { name: /^Pause/ }).click()
  await page.getByRole('button', { name: /^End pause/ }).waitFor()
  await page.getByRole('button', { name: /^End pause/ }).click()
  await page.getByRole('button', { name: /^Pause/ }).waitFor()
  await speedUp(page, '×20')
  await page.getByText('No task is running.').waitFor({ timeout: WORK_MS })
  await page.getByText('Charging', { exact: true }).first().waitFor({ timeout: WORK_MS })
  assert.deepEqual(await axe(page), [])

  // the report
  await page.goto(`${product.url}/device/report`)
  const row = page.getByRole('row').filter({ hasText: 'Morning round' })
  await row.getByText('Finished').waitFor({ timeout: WORK_MS }) // reports are written by the ingest, a moment later
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /Export/ }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'export.xlsx')
  const sheet = await readFile((await download.path()) ?? '')
  assert.equal(sheet.subarray(0, 2).toString(), 'PK')
  await row.getByRole('link', { name: 'Morning round' }).click()
  await page.getByText('Coverage of reachable floor').waitFor()
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(faults, [])
  await context.close()
})

test('everybody who sees the robot may stop it; a second person moves nothing without control', async () => {
  const holder = await visitor(browser, product)
  const watcher = await visitor(browser, product)
  await logIn(holder.page, product, 'user', '/control/v3/1')
  await logIn(watcher.page, product, 'dealer', '/control/v3/1')
  await holder.page.getByRole('button', { name: /^Take control/ }).click()
  await watcher.page.getByText(/has control$/).waitFor()
  assert.equal(await watcher.page.getByRole('button', { name: 'To charger' }).isDisabled(), true)
  await watcher.page.getByRole('button', { name: 'Emergency stop', exact: true }).click()
  await holder.page.getByRole('button', { name: 'Release emergency stop' }).first().waitFor()
  await holder.page.getByRole('button', { name: 'Release emergency stop' }).first().click()
  await holder.page.getByRole('button', { name: 'Emergency stop', exact: true }).waitFor()
  await closeAll(holder.context, watcher.context)
})
