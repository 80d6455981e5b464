/** What a dealer's tablets look like, chosen and seen before it is saved: in Chromium against the whole product. */
import type { Page } from '@playwright/test'
import { axe } from '../axe.ts'
import { drawPng } from '../hands.ts'
import { logIn } from '../product.ts'
import { expect, test } from '../stage.ts'
import { speak } from './language.ts'

const ONE_EACH = [
  ['Boot animation', 1280, 800],
  ['Login background', 1280, 800],
  ['Login logo', 800, 326],
  ['Main logo', 600, 270],
  ['Idle animation', 1280, 800],
] as const
const TILES = ['Task', 'Map', 'Task report', 'Alarm', 'Return to charge', 'About us']

async function open(page: Page) {
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Tablet branding' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeVisible()
  return dialog
}

test('[dialog.pad_customisation] [const.pad_images] a dealer gives its tablets their look', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'dealer', '/index')
  const dialog = await open(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please select a picture')).toHaveCount(ONE_EACH.length + TILES.length)
  await dialog.getByRole('radio', { name: 'Purple' }).check()
  await dialog.getByRole('textbox', { name: 'About us' }).fill('Harbour Dealers\nCall us: 2222')
  const tablet = dialog.getByRole('img', { name: 'Preview: About us' })
  await expect(tablet).toContainText('Call us: 2222')

  const choose = async (label: string, width: number, height: number) => {
    await page.locator(`input[data-picture="${label}"]`).setInputFiles(await drawPng(page, width, height))
  }
  for (const [label, width, height] of ONE_EACH) await choose(label, width, height)
  for (const word of TILES.slice(1)) await choose(`Home tile: ${word}`, 326, 343)
  await choose('Home tile: Task', 900, 500)
  const crop = page.getByRole('dialog').filter({ hasText: 'Crop: Home tile: Task' })
  expect(await axe(page, '[role=dialog]')).toEqual([])
  await crop.getByRole('button', { name: 'Crop' }).click()
  await expect(dialog.getByRole('img', { name: 'Preview: Home' }).locator('image')).toHaveCount(TILES.length + 1)
  await expect(dialog.getByText('Please select a picture')).toHaveCount(0)
  expect(await axe(page, '[role=dialog]')).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await speak(page, 'ar')
  expect(await axe(page, '[role=dialog]')).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await speak(page, 'en')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await page.reload()
  const again = await open(page)
  await expect(again.getByRole('radio', { name: 'Purple' })).toBeChecked()
  await expect(again.getByRole('textbox', { name: 'About us' })).toHaveValue('Harbour Dealers\nCall us: 2222')
  await expect(again.getByRole('img', { name: 'Preview: Home' }).locator('image')).toHaveCount(TILES.length + 1)

  const robots = again.getByRole('region', { name: 'On robots' })
  const send = page.getByRole('button', { name: /^Send again: / })
  const row = robots.getByRole('row').filter({ hasText: 'Shown' }).filter({ has: send })
  await expect(row.first()).toBeVisible()
  await robots.getByRole('button', { name: /^Shown \d/ }).click()
  await send.first().click()
  await expect(row.first()).toBeVisible()
  expect(await axe(page, '[role=dialog]')).toEqual([])
  expect(faults).toEqual([])
})

test('[rule.pad.level] offer the look of tablets to dealers alone', async ({ product, visit }) => {
  const { page } = await visit()
  await logIn(page, product, 'admin', '/index')
  await page.getByRole('button', { name: /Account menu/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Change password' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Tablet branding' })).toBeHidden()
})
