/** The product's main job, as a new user does it: a map is imported and given to a robot, the robot cleans it, the report says so. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axe } from './axe.ts'
import { choose, chooseFrom, drag, takeControl, waitOnline } from './hands.ts'
import { dotsOf, mapOf } from './maps.ts'
import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

const SAMPLE = ['yaml', 'pgm'].map((end) => new URL(`../../docs/samples/floor.${end}`, import.meta.url).pathname)
const ROBOT = 'Kestrel L1-B' // charges, and has no task of its own
const ROBOT_ID = 2
const WORK_MS = 240_000 // a small area, docking included, on a machine that has other work

const speedUp = (page: Page, factor: string) =>
  page.getByRole('radiogroup', { name: 'Simulated speed' }).getByText(factor).click()

test('[route.index] [route.device.index] [state.device_online.offline] the fleet is seen: floors, twelve robots, the offline one with when and why', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin')
  await expect(page.getByText('12 robots').first()).toBeVisible()
  await expect(page.getByText('Jade Gate Mall').first()).toBeVisible()
  await page.goto(`${product.url}/device/index`)
  await expect(page.getByText('All 12')).toBeVisible()
  await expect(page.getByText(/Powered off since/)).toBeVisible()
  expect(await axe(page)).toEqual([])
  expect(faults).toEqual([])
})

test('[route.device.maplist] [route.control.v3.deviceId] [route.device.report] a map made elsewhere becomes a cleaned floor and a report', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin', '/device/maplist')
  await waitOnline(page, product, ROBOT_ID)

  // import, give to a robot, place the charger
  await page.getByRole('button', { name: 'Import map' }).first().click()
  await page.locator('input[type=file]').setInputFiles(SAMPLE)
  await page.getByLabel('Map name').fill('Sample ward')
  await choose(page.getByRole('combobox', { name: 'Send it to a robot at once' }), ROBOT)
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  await chooseFrom(dotsOf(mapOf(page, ROBOT, 'Sample ward')), 'Place dock')
  const floor = page.getByRole('dialog').locator('[data-floor=shown] canvas')
  await drag(floor, [0.5, 0.53], [0.56, 0.53])
  await page.getByRole('button', { name: 'Save to robot' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()

  // control, the new map, an area, a task
  await page.goto(`${product.url}/device_control/index`)
  await page.getByRole('listitem').filter({ hasText: ROBOT }).getByRole('link', { name: 'Open control page' }).click()
  await takeControl(page)
  await speedUp(page, '×5') // fast, yet slow enough for a pause
  await choose(page.getByRole('combobox', { name: 'Map' }), 'Sample ward')
  await expect(page.getByText('Switching the map ends all tasks. Continue?')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch map' }).click()
  await expect(page.getByLabel(/Live map of .*Sample ward/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clean rooms' })).toBeVisible() // the import found some
  await page.getByRole('button', { name: 'New task' }).click()
  await expect(page.getByRole('button', { name: 'Save to robot' })).toBeDisabled()
  await expect(page.getByText('Set the start point first')).toBeVisible()
  const map = page.locator('[data-floor=shown] canvas[aria-label^="Live map of"]')
  await drag(map, [0.42, 0.49], [0.6, 0.58])
  await expect(page.getByText('Click where the robot starts')).toBeVisible()
  await drag(map, [0.52, 0.53], [0.53, 0.53])
  await expect(page.getByText('Set the start point first')).toBeHidden()
  await page.getByLabel('Task name').fill('Morning round')
  await page.getByRole('button', { name: 'Save to robot' }).click()
  const task = page.getByRole('listitem').filter({ hasText: 'Morning round' })
  await task.getByRole('button', { name: 'Start “Morning round”' }).click()

  // it cleans; pause and resume; it finishes and docks
  await expect(page.getByText('Cleaning', { exact: true }).first()).toBeVisible({ timeout: WORK_MS })
  await page.getByRole('button', { name: /^Pause/ }).click()
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Pause/ })).toBeVisible()
  await speedUp(page, '×20')
  await expect(page.getByText('No task running.')).toBeVisible({ timeout: WORK_MS })
  await expect(page.getByText('Charging', { exact: true }).first()).toBeVisible({ timeout: WORK_MS })
  expect(await axe(page)).toEqual([])
  await speedUp(page, '×1')
  await page.getByRole('button', { name: 'Release control', exact: true }).click() // others use this robot too

  // the report
  await page.goto(`${product.url}/device/report`)
  const row = page.getByRole('row').filter({ hasText: 'Morning round' })
  await expect(row.getByText('Finished')).toBeVisible({ timeout: WORK_MS }) // reports are written by the ingest, a moment later
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /Export/ }).click(),
  ])
  expect(download.suggestedFilename()).toBe('export.xlsx')
  const sheet = await readFile((await download.path()) ?? '')
  expect(sheet.subarray(0, 2).toString()).toBe('PK')
  await row.getByRole('link', { name: 'Morning round' }).click()
  await expect(page.getByText('Coverage of the reachable area')).toBeVisible()
  expect(await axe(page)).toEqual([])
  expect(faults).toEqual([])
})

test('everybody who sees the robot may stop it; a second person moves nothing without control', async ({
  product,
  visit,
}) => {
  const holder = await visit()
  const watcher = await visit()
  await logIn(holder.page, product, 'user', '/control/v3/1')
  await logIn(watcher.page, product, 'dealer', '/control/v3/1')
  await holder.page.getByRole('button', { name: /^Take control/ }).click()
  await expect(watcher.page.getByText(/has control$/)).toBeVisible()
  await expect(watcher.page.getByRole('button', { name: 'Return to charge' })).toBeDisabled()
  await watcher.page.getByRole('button', { name: 'Emergency stop', exact: true }).click()
  await expect(holder.page.getByRole('button', { name: 'Release emergency stop' }).first()).toBeVisible()
  await holder.page.getByRole('button', { name: 'Release emergency stop' }).first().click()
  const stop = watcher.page.getByRole('button', { name: 'Emergency stop', exact: true })
  await expect(stop).toBeVisible()

  // where nobody has control, one press leaves the stop and takes it
  await holder.page.getByRole('button', { name: 'Release control', exact: true }).click()
  await stop.click()
  await watcher.page.getByRole('button', { name: 'Take control and release' }).first().click()
  await expect(stop).toBeVisible()
  await watcher.page.getByRole('button', { name: 'Release control', exact: true }).click()
})
