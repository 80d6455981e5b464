/** An account from its first password to its end, in Chromium against the whole product. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axe } from './axe.ts'
import { chooseFrom } from './hands.ts'
import { logIn, visitor } from './product.ts'
import { browser, product } from './stage.ts'

const ACCOUNT = 'porter7'
const NAME = 'Quay porter'
const CHOSEN = 'Quay-porter-2026'

test('[route.user.index] a dealer makes a user, says what it may do, and deletes it; the user sees no more than that', async () => {
  const dealer = await visitor(browser, product)
  const { page } = dealer
  await page.emulateMedia({ reducedMotion: 'reduce' }) // a menu finds its place without motion too
  await logIn(page, product, 'dealer', '/user/index')
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Login name').fill(ACCOUNT)
  await dialog.getByLabel('Name', { exact: true }).fill(NAME)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const first = await page.locator('[data-password]').innerText()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await page.getByRole('button', { name: `Permission: ${NAME}` }).click()
  await dialog.getByText('Exactly these').click()
  await dialog.getByRole('checkbox', { name: 'Select all' }).check()
  await dialog.getByRole('checkbox', { name: 'Select all' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Device list' }).check()
  assert.equal(await dialog.getByRole('checkbox', { name: 'Device log' }).count(), 0) // the dealer lacks it
  assert.deepEqual(await axe(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })

  const user = await visitor(browser, product)
  await user.page.goto(`${product.url}/login`)
  await user.page.locator('input[name=account]').fill(ACCOUNT)
  await user.page.locator('input[name=password]').fill(first)
  await user.page.locator('button[type=submit]').click()
  await user.page.getByLabel('New password').fill(CHOSEN) // nothing else can be done before that
  await user.page.locator('button[type=submit]').click()
  await user.page.waitForURL(`${product.url}/index`)
  const menu = user.page.getByRole('navigation', { name: 'Main menu' })
  await menu.getByRole('button', { name: 'Device management' }).click()
  assert.deepEqual(await menu.getByRole('link').allInnerTexts(), ['Status monitoring', 'Device list'])
  await user.page.goto(`${product.url}/user/index`)
  await user.page.getByText('No permission').waitFor()

  await chooseFrom(page.getByRole('button', { name: `More: ${NAME}` }), 'Delete')
  await dialog.getByRole('textbox').fill(ACCOUNT)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('rowheader', { name: NAME }).waitFor({ state: 'detached' })
  await user.page.goto(`${product.url}/device/index`)
  await user.page.waitForURL(/\/login/) // its session ended with it
  assert.deepEqual(dealer.faults, [])
  await dealer.context.close()
  await user.context.close()
})
