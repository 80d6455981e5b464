/** A robot's papers, in Chromium against the whole product: registered, given a place, and gone. */
import { axe } from './axe.ts'
import { chooseFrom } from './hands.ts'
import { ask, logIn } from './product.ts'
import { expect, test } from './stage.ts'

const SERIAL = 'SC0901'
const NAME = 'Kestrel spare'
const RENAMED = 'Lobby by night'

test('[dialog.device_add_edit] [dialog.auth_code] [dialog.device_type] a robot is registered, edited and deleted', async ({
  product,
  visit,
}) => {
  const admin = await visit()
  const { page } = admin
  await logIn(page, product, 'admin', '/device/index')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Device type' }).click()
  await expect(dialog.getByText('Scrub 50')).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: 'Authorisation code' }).click()
  await dialog.getByRole('button', { name: 'Create code' }).click()
  await expect(dialog.getByRole('timer')).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: 'Add device' }).click()
  await dialog.getByLabel('Device name').fill(NAME)
  await dialog.getByLabel('Serial number').fill(SERIAL)
  await dialog.getByLabel('Device type').click()
  await page.getByTitle('Mist 20').click()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toBeHidden()

  await page.goto(`${product.url}/device/index?text=${SERIAL}`)
  await chooseFrom(page.getByRole('button', { name: `More: ${NAME}` }), 'Edit')
  await dialog.getByLabel('Building').fill('Depot')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await chooseFrom(page.getByRole('button', { name: `More: ${NAME}` }), 'Delete')
  await dialog.getByRole('textbox').fill(SERIAL)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(NAME, { exact: true })).toBeHidden()
  expect(admin.faults).toEqual([])
})

test('show another person’s change in an open list without a reload', async ({ product, visit }) => {
  const { page } = await visit()
  await logIn(page, product, 'user', '/device/index')
  const { list } = await ask(page, product, '/device/selectDevicePc', { currentPage: 1, pageSize: 1 })
  const [{ deviceId, deviceCode }] = list
  await expect(page.getByText(deviceCode, { exact: true }).first()).toBeVisible()
  const admin = await visit()
  await logIn(admin.page, product, 'admin')
  await ask(admin.page, product, '/device/updateDeviceInfo', { deviceId, deviceCode: RENAMED })
  await expect(page.getByText(RENAMED, { exact: true }).first()).toBeVisible()
  await ask(admin.page, product, '/device/updateDeviceInfo', { deviceId, deviceCode })
  await expect(page.getByText(RENAMED, { exact: true })).toHaveCount(0)
})
