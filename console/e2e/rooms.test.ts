/** Rooms of an imported map are found, corrected and kept; several elements are handled at once. */
import type { Locator, Page } from '@playwright/test'
import { axe } from './axe.ts'
import { choose, drag } from './hands.ts'
import { element, floor } from './maps.ts'
import { logIn, type Product } from './product.ts'
import { expect, test } from './stage.ts'

const SAMPLE = ['yaml', 'pgm'].map((end) => new URL(`../../docs/samples/floor.${end}`, import.meta.url).pathname)
const ROBOT = 'Kestrel L1-B' // charges, and has no task of its own
const ROBOT_ID = 2

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

test('rooms of an import are found, copied, taken back and saved', async ({ product, visit }) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', '/device/maplist')
  await page.getByRole('button', { name: 'Import map' }).first().click()
  await page.locator('input[type=file]').setInputFiles(SAMPLE)
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
