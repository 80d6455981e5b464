/** What one account does to another is told to the other, and stands in the audit: in Chromium against the whole product. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axe } from './axe.ts'
import { logIn, visitor } from './product.ts'
import { browser, product } from './stage.ts'

test('[route.message.index] [route.log] a dealer assigns a robot; the user is told, and the audit shows the deed', async () => {
  const dealer = await visitor(browser, product)
  await logIn(dealer.page, product, 'dealer', '/user/index?levels=3')
  await dealer.page.getByRole('button', { name: 'More: Bright Floors', exact: true }).click()
  await dealer.page.getByRole('menuitem', { name: 'Assign robots' }).click()
  const dialog = dealer.page.getByRole('dialog')
  const robot = await dialog.getByRole('listitem').first().locator('bdi').first().innerText()
  await dialog.getByRole('checkbox').first().check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })

  const user = await visitor(browser, product)
  await logIn(user.page, product, 'user')
  const menu = user.page.getByRole('button', { name: /\d+ unread messages?$/ })
  const waiting = Number(/(\d+) unread/.exec((await menu.getAttribute('aria-label')) ?? '')?.[1]) // of other deeds, too
  await menu.click()
  await user.page.getByRole('menuitem', { name: 'Message centre' }).click()
  const unread = user.page.locator('li[data-unread]').filter({ hasText: 'Robots assigned to you' })
  await unread.waitFor()
  assert.ok((await unread.innerText()).includes(robot))
  assert.deepEqual(await axe(user.page), [])
  await unread.getByRole('button', { name: /^Mark as read/ }).click()
  await unread.waitFor({ state: 'detached' })
  const left = waiting === 1 ? /Account menu: [^,]*$/ : new RegExp(`\\b${waiting - 1} unread message`)
  await user.page.getByRole('button', { name: left }).waitFor()

  const admin = await visitor(browser, product)
  await logIn(admin.page, product, 'admin', '/log')
  const row = admin.page.getByRole('row').filter({ hasText: 'Assign user' }).first()
  assert.ok((await row.innerText()).includes('dealer'))
  await row.getByRole('button', { name: /Details/ }).click()
  await admin.page.getByRole('columnheader', { name: 'Before' }).waitFor()
  await admin.page.getByText(/Complete and unchanged/).waitFor()
  assert.deepEqual(await axe(admin.page), [])
  const [saved] = await Promise.all([
    admin.page.waitForEvent('download'),
    admin.page.getByRole('button', { name: 'Export' }).click(),
  ])
  assert.equal(saved.suggestedFilename(), 'log.xlsx')

  for (const { context, faults } of [dealer, user, admin]) {
    assert.deepEqual(faults, [])
    await context.close()
  }
})
