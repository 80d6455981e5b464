/** An account from its first password to its end, in Chromium against the whole product. */
import { axe } from './axe.ts'
import { chooseFrom } from './hands.ts'
import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

const ACCOUNT = 'porter7'
const NAME = 'Quay porter'
const CHOSEN = 'Quay-porter-2026'

test('[route.user.index] a dealer makes a user, says what it may do, and deletes it; the user sees no more than that', async ({
  product,
  visit,
}) => {
  const dealer = await visit()
  const { page } = dealer
  await logIn(page, product, 'dealer', '/user/index')
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Login name').fill(ACCOUNT)
  await dialog.getByLabel('Name', { exact: true }).fill(NAME)
  await page.keyboard.press('Enter') // sends a form
  const first = await page.locator('[data-password]').innerText()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await page.getByRole('button', { name: `Permission: ${NAME}` }).click()
  await dialog.getByText('Individually').click()
  await dialog.getByRole('checkbox', { name: 'Select all' }).check()
  await dialog.getByRole('checkbox', { name: 'Select all' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Devices' }).check()
  await expect(dialog.getByRole('checkbox', { name: 'Device log' })).toHaveCount(0) // the dealer lacks it
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  const user = await visit()
  await user.page.goto(`${product.url}/login`)
  await user.page.locator('input[name=account]').fill(ACCOUNT)
  await user.page.locator('input[name=password]').fill(first)
  await user.page.locator('button[type=submit]').click()
  await user.page.getByLabel('New password').fill(CHOSEN) // nothing else can be done before that
  await user.page.locator('button[type=submit]').click()
  await user.page.waitForURL(`${product.url}/index`)
  const menu = user.page.getByRole('navigation', { name: 'Main menu' })
  await menu.getByRole('button', { name: 'Device management' }).click()
  await expect(menu.getByRole('link')).toHaveText(['Status monitoring', 'Devices'])
  await user.page.goto(`${product.url}/user/index`)
  await expect(user.page.getByText('No access')).toBeVisible()

  await chooseFrom(page.getByRole('button', { name: `More: ${NAME}` }), 'Delete')
  await dialog.getByRole('textbox').fill(ACCOUNT)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('rowheader', { name: NAME })).toBeHidden()
  await user.page.goto(`${product.url}/device/index`)
  await user.page.waitForURL(/\/login/) // its session ended with it
  expect(dealer.faults).toEqual([])
})
