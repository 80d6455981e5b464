/** A robot is backed up, looked into, put back and deleted: in Chromium against the whole product and its virtual robots. */
import { axe } from '../axe.ts'
import { ask, logIn } from '../product.ts'
import { expect, test } from '../stage.ts'

const ROBOT = 'Kestrel L1-B' // has no work of its own, and its customer lets support in
const OTHER = 'Kestrel L1-A' // of the same owner, with other work
const DONE_MS = 60_000

test('[route.device.dataBackup] a robot is backed up, gets its backup back, and what another would get is shown', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin', '/device/dataBackup')
  const online = async () => {
    const { list } = await ask(page, product, '/device/selectDevicePc', { currentPage: 1, pageSize: 100 })
    return (list as { deviceCode: string; online: boolean }[]).filter((row) => row.online).map((row) => row.deviceCode)
  }
  await expect.poll(online, { timeout: DONE_MS }).toEqual(expect.arrayContaining([ROBOT, OTHER]))
  const dialog = page.getByRole('dialog')
  const chooseRobot = async (label: string, name: string) => {
    await dialog.getByRole('combobox', { name: label }).click()
    await page.keyboard.type(name)
    await page
      .getByRole('option', { name: new RegExp(name) })
      .or(page.locator('.ant-select-item-option').filter({ hasText: name }))
      .first()
      .click()
  }
  await page.getByRole('button', { name: 'Back up a robot' }).first().click()
  await chooseRobot('Robot', ROBOT)
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Back up a robot' }).click()
  const line = page.getByRole('row').filter({ hasText: ROBOT })
  await expect(line).toContainText('Finished', { timeout: DONE_MS })
  await expect(line).toContainText(/Map \d/)
  expect(await axe(page)).toEqual([])

  await line.getByRole('button', { name: /^What it holds/ }).click()
  await expect(dialog.getByRole('row').filter({ hasText: 'Task' }).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await line.getByRole('button', { name: /^Restore: / }).click()
  await expect(dialog.getByText('Nothing would change')).toBeVisible()
  await chooseRobot('Robot that gets it', OTHER)
  await expect(dialog.getByRole('row').filter({ hasText: 'Deleted' }).first()).toBeVisible()
  expect(await axe(page)).toEqual([])
  await chooseRobot('Robot that gets it', ROBOT)
  await expect(dialog.getByText('Nothing would change')).toBeVisible()
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(line).toContainText(`Restored to ${ROBOT}`, { timeout: DONE_MS })

  await page.getByRole('button', { name: 'Backup plan' }).click()
  await chooseRobot('Robot', ROBOT)
  await dialog.getByRole('combobox', { name: 'Backed up by itself' }).click()
  await page.getByTitle('Every week').click()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await line.getByRole('button', { name: /^Delete: / }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No backups yet')).toBeVisible()
  expect(faults).toEqual([])
})
