/** A published build is rolled out to a virtual robot, which installs it, and goes back: in Chromium against the whole product. */
import { axe } from '../axe.ts'
import { choose } from '../hands.ts'
import { logIn } from '../product.ts'
import { expect, test } from '../stage.ts'

const UPDATE_MS = 120_000 // that a robot takes to download, restart and come back
const ROBOT = 'SC0007' // stands idle at its charger

test('a robot takes a build that is rolled out, and goes back in one press', async ({ product, visit }) => {
  test.slow()
  const { page, faults } = await visit()
  await logIn(page, product, 'admin', '/version/soft')
  await page.getByRole('button', { name: 'Add software' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Rolled out')
  await choose(dialog.getByRole('combobox', { name: 'Device type' }), 'Mist 20')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: 'Builds: Rolled out' }).click()
  await dialog.getByRole('button', { name: 'Add build' }).click()
  await dialog.getByLabel('Name').fill('v9')
  await dialog.getByLabel('Software version').fill('9.0.0')
  const build = { name: 'mist-9.swu', mimeType: 'application/octet-stream', buffer: Buffer.alloc(2_000_000, 'build ') }
  await dialog.locator('input[type=file]').setInputFiles(build)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('button', { name: 'Publish: v9' }).click()
  await dialog.getByRole('row').filter({ hasText: ROBOT }).getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()

  await dialog.getByRole('button', { name: 'Roll-out: v9' }).click()
  await expect(dialog.getByText('Devices that get it: 1')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'By share' }).fill('100, 50')
  await expect(dialog.getByRole('button', { name: 'Start roll-out' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'By share' }).fill('100')
  await dialog.getByLabel('Minutes between steps').fill('0')
  await dialog.getByRole('switch', { name: 'Install only on the charger' }).click()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Start roll-out' }).click()

  await expect(page).toHaveURL(/\/version\/soft\/rollout\?rollout=\d+/)
  await expect(page.getByText('1 of 1 devices run 9.0.0')).toBeVisible({ timeout: UPDATE_MS })
  await expect(page.getByRole('row').filter({ hasText: ROBOT })).toContainText('Successful')
  expect(await axe(page)).toEqual([])

  await page.getByRole('button', { name: 'Roll back' }).click()
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await expect(page.getByRole('heading', { name: 'Roll-back of Rolled out v9' })).toBeVisible()
  await expect(page.getByText('1 of 1 devices have left 9.0.0')).toBeVisible({ timeout: UPDATE_MS })
  expect(faults).toEqual([])
})
