import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

test('[route.file.knowledge] [route.file.file_list] what a dealer writes is found, read and downloaded by a user', async ({
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
