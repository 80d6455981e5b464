/** Rooms of an imported map are found, corrected and kept; several elements are handled at once. */
import type { Locator, Page } from '@playwright/test'
import { axe } from './axe.ts'
import { choose, chooseFrom, drag, waitOnline } from './hands.ts'
import { dotsOf, element, floor, mapOf } from './maps.ts'
import { ask, logIn, type Product } from './product.ts'
import { expect, test } from './stage.ts'

const SAMPLE = ['yaml', 'pgm'].map((end) => new URL(`../../docs/samples/floor.${end}`, import.meta.url).pathname)
const ROBOT = 'Kestrel L1-B' // charges, and has no task of its own
const ROBOT_ID = 2
const MOST_ACTIONS = 8 // from the list of maps to the report: presses, and fields that are filled
const WORK_MS = 240_000 // a small room, on a machine that has other work

/** On a floor, by shares of its picture. */
async function pressAt(canvas: Locator, [across, down]: readonly [number, number]) {
  await canvas.scrollIntoViewIfNeeded()
  const box = await canvas.boundingBox()
  await canvas.click({ position: { x: across * (box?.width ?? 0), y: down * (box?.height ?? 0) } })
}

async function endTask(page: Page, { url }: Product) {
  await page.goto(`${url}/control/v3/${ROBOT_ID}`)
  await page.getByRole('button', { name: 'End task' }).click() // five seconds to take it back
  await expect(page.getByRole('link', { name: 'Open report' })).toBeVisible()
}

test('a map becomes a cleaned room and its report in eight actions, by whoever owns the robot', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', '/device/maplist')
  await waitOnline(page, product, ROBOT_ID)
  let actions = 0
  const act = async (action: Promise<unknown>) => {
    actions += 1
    await action
  }
  const dialog = page.getByRole('dialog')
  await act(page.getByRole('button', { name: 'Import map' }).first().click())
  await act(page.locator('input[type=file]').setInputFiles(SAMPLE))
  await act(choose(page.getByRole('combobox', { name: 'Send it to a robot at once' }), ROBOT))
  await expect(dialog.getByRole('combobox', { name: /^Building/ })).toHaveValue('Kestrel Quay Hotel')
  await expect(dialog.getByRole('combobox', { name: /^Floor/ })).toHaveValue('floor') // that robot's own floor has a map
  await act(dialog.getByRole('button', { name: 'Import', exact: true }).click())
  await expect(dialog).toBeHidden()
  const card = page.getByRole('article', { name: 'floor', exact: true })
  await expect(card).toContainText(`On ${ROBOT}`) // one card for the library's map and the robot's
  const plan = card.locator('canvas[data-tap]')
  await expect(plan).toBeVisible()
  await act(pressAt(plan, [0.1, 0.12]))
  await expect(dialog.getByText(/^1 room, /)).toBeVisible()
  await act(dialog.getByRole('button', { name: 'Switch map and clean' }).click())
  await expect(dialog).toBeHidden() // it stays open where the start is refused
  await ask(page, product, '/device/simulate', { deviceId: ROBOT_ID, factor: 20 })
  await act(page.getByRole('link', { name: 'Task reports' }).first().click())
  const row = page.getByRole('row').filter({ hasText: ROBOT }).filter({ hasText: 'Finished' })
  await expect(row.getByRole('link', { name: 'Room 1' })).toBeVisible({ timeout: WORK_MS })
  await act(row.getByRole('link', { name: 'Room 1' }).click())
  await expect(page.getByText('Coverage of the reachable area')).toBeVisible()
  expect(actions).toBeLessThanOrEqual(MOST_ACTIONS)

  // left to whoever comes next
  await ask(page, product, '/device/simulate', { deviceId: ROBOT_ID, factor: 1 })
  await page.goto(`${product.url}/device/maplist`)
  await chooseFrom(dotsOf(mapOf(page, ROBOT, 'kestrel-1')), 'Switch to this map')
  await dialog.getByRole('button', { name: 'Switch map' }).click()
  await expect(dialog).toBeHidden() // it stays open where the switch is refused
  await expect(mapOf(page, ROBOT, 'kestrel-1')).toContainText('In use')
  expect(faults).toEqual([])
})

test('rooms of an import are found, copied, taken back and saved', async ({ product, visit }) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', '/device/maplist')
  await page.getByRole('button', { name: 'Import map' }).first().click()
  await page.locator('input[type=file]').setInputFiles(SAMPLE)
  await expect(page.getByRole('dialog').getByRole('article')).toBeVisible()
  const again = page.getByRole('checkbox', { name: 'Import it again' }) // the journey before may have brought it
  if (await again.isVisible()) await again.check()
  await page.getByLabel('Map name').fill('Rooms ward')
  await page.getByRole('checkbox', { name: 'Find its rooms at once' }).uncheck()
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('article').filter({ hasText: 'Rooms ward' }).getByRole('link', { name: 'Edit' }).click()
  await expect(floor(page)).toBeVisible()

  await page.getByRole('button', { name: 'Find rooms' }).click()
  await expect(page.getByText(/^\d+ rooms drawn\./)).toBeVisible()
  const rooms = element(page, /^Room \d+/)
  const count = await rooms.count()
  expect(count).toBeGreaterThan(10)
  expect(await axe(page)).toEqual([])

  // all by a box, copied and taken back by keys, as one step
  await drag(floor(page), [0.02, 0.12], [0.98, 0.75])
  await expect(page.getByText(/^\d+ elements selected/)).toBeVisible()
  await page.keyboard.press('Control+d')
  await expect(rooms).toHaveCount(2 * count)
  await page.keyboard.press('Control+z')
  await expect(rooms).toHaveCount(count)

  // chosen with Shift, moved by arrows, deleted
  await rooms.nth(0).getByRole('button').click()
  await rooms
    .nth(1)
    .getByRole('button')
    .click({ modifiers: ['Shift'] })
  await expect(page.getByText('2 elements selected')).toBeVisible()
  await page.keyboard.press('Delete')
  await expect(rooms).toHaveCount(count - 2)
  await page.keyboard.press('Control+z')
  await expect(rooms).toHaveCount(count)

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Map saved')).toBeVisible()
  expect(faults).toEqual([])
})

test('a robot on a live floor opens its card, by pointer and by key', async ({ product, visit }) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', '/index')
  const marks = page.locator('[data-robot]:not([hidden])')
  await expect(marks.first()).toBeVisible()
  const name = (await marks.first().getAttribute('aria-label'))?.split(':')[0] ?? ''
  const mark = page.locator(`[data-robot][aria-label^="${name}:"]`).first() // another may come first meanwhile
  const card = page.getByRole('dialog', { name })
  await expect(async () => {
    await mark.hover({ force: true }) // it may drive away from under the pointer
    await expect(card.getByRole('heading', { name })).toBeVisible({ timeout: 5000 })
  }).toPass()
  expect(await axe(page)).toEqual([])
  await page.mouse.move(4, 4)
  await expect(card).toBeHidden()
  await mark.focus()
  await page.keyboard.press('Enter')
  await card.getByRole('link', { name: 'Control' }).click()
  await expect(page).toHaveURL(/\/control\/v3\/\d+/)
  expect(faults).toEqual([])
})

test('a room that is pressed on a live floor is cleaned, without the control page', async ({ product, visit }) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', '/index')
  const dialog = page.getByRole('dialog', { name: /^Clean rooms · Kestrel Quay Hotel/ })
  const floor = page.locator('canvas[data-tap][aria-label="Kestrel Quay Hotel, floor 1"]')
  await expect(async () => {
    await page.keyboard.press('Escape') // what was pressed before the rooms of the floor had come
    await expect(dialog).toBeHidden({ timeout: 5000 })
    await pressAt(floor, [0.4, 0.35])
    await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(1, { timeout: 5000 })
  }).toPass()
  await choose(dialog.getByRole('combobox', { name: 'Robot' }), ROBOT)
  await expect(dialog.getByText(/^1 room, /)).toBeVisible()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Clean now' }).click()
  await expect(page.getByText(`${ROBOT} starts cleaning.`)).toBeVisible()
  await expect(dialog).toBeHidden()

  // left to whoever comes next
  await endTask(page, product)
  expect(faults).toEqual([])
})
