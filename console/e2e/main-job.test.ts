/** The product's main job, as a new user does it: a map is imported and given to a robot, the robot cleans it, the report says so. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axe } from './axe.ts'
import { choose, chooseFrom, drag, takeControl } from './hands.ts'
import { dotsOf } from './maps.ts'
import { closeAll, logIn, visitor } from './product.ts'
import { browser, product } from './stage.ts'

const SAMPLE = ['yaml', 'pgm'].map((end) => new URL(`../../docs/samples/floor.${end}`, import.meta.url).pathname)
const ROBOT = 'Kestrel L1-B' // charges, and has no task of its own
const WORK_MS = 240_000 // a small area, docking included, on a machine that has other work

const speedUp = (page: Page, factor: string) =>
  page.getByRole('radiogroup', { name: 'Simulated speed' }).getByText(factor).click()

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
  await chooseFrom(dotsOf(inLibrary), 'Give to a robot')
  const give = page.getByRole('dialog')
  await choose(give.getByRole('combobox'), ROBOT)
  await give.getByRole('button', { name: 'Give to a robot' }).click()
  const onRobot = page
    .getByRole('article')
    .filter({ hasText: 'Sample ward' })
    .filter({ hasText: `On ${ROBOT}` })
  await chooseFrom(dotsOf(onRobot), 'Place dock')
  const floor = page.getByRole('dialog').locator('[data-floor=shown] canvas')
  await drag(floor, [0.5, 0.53], [0.56, 0.53])
  await page.getByRole('button', { name: 'Save to the robot' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  // control, the new map, an area, a task
  await page.goto(`${product.url}/device_control/index`)
  await page.getByRole('listitem').filter({ hasText: ROBOT }).getByRole('link', { name: 'Open control' }).click()
  await takeControl(page)
  await speedUp(page, '×5') // fast, yet slow enough for a pause
  await choose(page.getByRole('combobox', { name: 'Map' }), 'Sample ward')
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
