/** What one account does to another is told to the other, and stands in the audit: in Chromium against the whole product. */
import { axe } from './axe.ts'
import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

test('[route.message.index] [route.log] a dealer assigns a robot; the user is told, and the audit shows the deed', async ({
  product,
  visit,
}) => {
  const dealer = await visit()
  await logIn(dealer.page, product, 'dealer', '/user/index?levels=3')
  await dealer.page.getByRole('button', { name: 'More: Bright Floors', exact: true }).click()
  await dealer.page.getByRole('menuitem', { name: 'Assign robots' }).click()
  const dialog = dealer.page.getByRole('dialog')
  const robot = await dialog.getByRole('listitem').first().locator('bdi').first().innerText()
  await dialog.getByRole('checkbox').first().check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  const user = await visit()
  await logIn(user.page, product, 'user')
  const menu = user.page.getByRole('button', { name: /\d+ unread messages?$/ })
  const waiting = Number(/(\d+) unread/.exec((await menu.getAttribute('aria-label')) ?? '')?.[1]) // of other deeds, too
  await menu.click()
  await user.page.getByRole('menuitem', { name: 'Message centre' }).click()
  const unread = user.page.locator('li[data-unread]').filter({ hasText: 'Robots shared with you' })
  await expect(unread).toBeVisible()
  await expect(unread).toContainText(robot)
  expect(await axe(user.page)).toEqual([])
  await unread.getByRole('button', { name: /^Mark as read/ }).click()
  await expect(unread).toBeHidden()
  const left = waiting === 1 ? /Account menu: [^,]*$/ : new RegExp(`\\b${waiting - 1} unread message`)
  await expect(user.page.getByRole('button', { name: left })).toBeVisible()

  const admin = await visit()
  await logIn(admin.page, product, 'admin', '/log')
  const row = admin.page.getByRole('row').filter({ hasText: 'Assign user' }).first()
  await expect(row).toContainText('dealer')
  await row.getByRole('button', { name: /Details/ }).click()
  await expect(admin.page.getByRole('columnheader', { name: 'Before' })).toBeVisible()
  await expect(admin.page.getByText(/Complete and unaltered/)).toBeVisible()
  expect(await axe(admin.page)).toEqual([])
  const [saved] = await Promise.all([
    admin.page.waitForEvent('download'),
    admin.page.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('log.xlsx')

  for (const { faults } of [dealer, user, admin]) expect(faults).toEqual([])
})
