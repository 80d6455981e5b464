/** A version on its way to chosen robots, and back: in Chromium against the whole product. */
import { axe } from '../axe.ts'
import { chooseFirst } from '../hands.ts'
import { logIn } from '../product.ts'
import { expect, test } from '../stage.ts'

test('[route.version.soft] [route.version.fireware] a build is uploaded, published to a robot and unpublished', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin', '/version/soft')
  await page.getByRole('button', { name: 'Add software' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Navigation')
  await chooseFirst(dialog.getByRole('combobox', { name: 'Device type' }))
  await dialog.getByRole('button', { name: 'Add' }).click()

  await page.getByRole('button', { name: 'Builds: Navigation' }).click()
  await expect(dialog.getByText('No builds yet')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add build' }).click()
  await dialog.getByLabel('Name').fill('v2024.5')
  await dialog.getByLabel('Software version').fill('2.0.0')
  const build = { name: 'nav 2.0.swu', mimeType: 'application/octet-stream', buffer: Buffer.from('a build') }
  await dialog.locator('input[type=file]').setInputFiles(build)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()

  await dialog.getByRole('button', { name: 'Publish: v2024.5' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Publish: v2024.5' }).click()
  await dialog.getByRole('checkbox').nth(1).check()
  await expect(dialog.getByText('1 selected')).toBeVisible()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog.getByRole('table', { name: 'Builds' })).toBeVisible() // published, and back among the builds
  await expect(dialog.getByRole('button', { name: 'Delete: v2024.5' })).toBeHidden()
  await dialog.getByRole('button', { name: 'Close' }).first().click()

  const line = page.getByRole('row').filter({ hasText: 'Navigation' })
  await expect(line).toContainText('2.0.0')
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Unpublish: Navigation' }).click()
  await dialog.getByRole('button', { name: 'Unpublish' }).click()
  await expect(line).toContainText('Unpublished')
  expect(faults).toEqual([])
})
