/** What one account does to another is told to the other, stands in the audit, and is read by who is below: in Chromium against the whole product. */
import { axe } from './axe.ts'
import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

test('[route.message.index] [route.log] a dealer assigns a robot; the user gets a message, and the audit shows it', async ({
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
  await menu.click()
  await user.page.getByRole('menuitem', { name: 'Message centre' }).click()
  const unread = user.page.locator('li[data-unread]').filter({ hasText: 'Robots shared with you' })
  await expect(unread).toBeVisible()
  await expect(unread).toContainText(robot)
  expect(await axe(user.page)).toEqual([])
  await unread.getByRole('button', { name: /^Mark as read/ }).click()
  await expect(unread).toBeHidden()
  const account = user.page.getByRole('button', { name: /Account menu: / })
  const count = async () => Number(/(\d+) unread/.exec((await account.getAttribute('aria-label')) ?? '')?.[1] ?? 0)
  const waiting = () => user.page.locator('li[data-unread]').count()
  await expect.poll(async () => (await count()) - (await waiting())).toBe(0) // also of what others do meanwhile

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

test('[route.file.knowledge] [route.file.file_list] a user finds, reads and downloads what a dealer writes', async ({
  product,
  visit,
}) => {
  const { page: dealer } = await visit()
  await logIn(dealer, product, 'dealer')
  await dealer.goto(`${product.url}/file/knowledge`)
  await dealer.getByRole('button', { name: 'Write article' }).first().click()
  const dialog = dealer.getByRole('dialog')
  await dialog.getByLabel('Title').fill('The upper lidar does not turn')
  await dialog.getByLabel('Category').fill('Faults')
  await dialog.getByLabel('Text').fill('# What to do\n\nWipe the **lidar** with a dry cloth.')
  await dialog.getByLabel('Fault codes').fill('0x0610')
  const manual = { name: 'lidar manual.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 manual') }
  await dialog.locator('input[type=file]').setInputFiles(manual)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dealer.getByRole('heading', { name: 'What to do' })).toBeVisible()

  const { page: user, faults } = await visit()
  await logIn(user, product, 'user')
  await user.goto(`${product.url}/file/knowledge?code=0x0610`)
  await user.getByRole('link', { name: 'The upper lidar does not turn' }).click()
  await expect(user.getByText('with a dry cloth')).toBeVisible()
  await expect(user.getByRole('button', { name: 'Edit' })).toBeHidden()
  const download = user.waitForEvent('download')
  await user.getByRole('button', { name: 'Download lidar_manual.pdf' }).click()
  expect((await download).suggestedFilename()).toBe('lidar_manual.pdf')
  expect(faults).toEqual([])
})
