/** The screen on a wall, opened by somebody who is logged in and by an address with a key: in Chromium against the whole product. */
import { axe } from '../axe.ts'
import { ask, logIn } from '../product.ts'
import { expect, test } from '../stage.ts'

test('[route.bigScreen] [feat.header.big_screen] a link shows the fleet on a wall, and nothing else, until its key is deleted', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'dealer')
  await page.getByRole('link', { name: 'Wall display' }).click()
  await expect(page.getByRole('heading', { name: 'Lustra Harbour Robotics' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Robots by state' })).toContainText('Cleaning')
  expect(await axe(page)).toEqual([])

  await page.getByRole('button', { name: 'Link for this display' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText('Enter a name')).toBeVisible()
  await dialog.getByLabel('Name of the display').fill('Lobby')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const address = await dialog.locator('[data-password]').innerText()
  expect(new URL(address).search).toBe('')
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const wall = await visit()
  await wall.page.goto(address)
  await expect(wall.page.getByRole('heading', { name: 'Lustra Harbour Robotics' })).toBeVisible()
  await expect(wall.page.getByText('Live, ')).toBeVisible()
  const scrolls = () => {
    const [page, main] = [document.documentElement, document.querySelector('main')]
    if (main) main.style.translate = '3px 3px' // as far as it drifts
    return [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight]
  }
  expect(await wall.page.evaluate(scrolls)).toEqual([0, 0])
  await expect(wall.page.getByRole('link', { name: 'Back to the console' })).toHaveCount(0)
  expect(await wall.page.evaluate(() => [document.cookie.includes('lustra_'), localStorage.length])).toEqual([false, 0])

  const { list } = await ask(page, product, '/user/apiKey/list', {})
  const [key] = list as { id: string; name: string }[]
  await ask(page, product, '/user/apiKey/delete', { keyId: key?.id ?? '' })
  await expect(wall.page.getByText('This link has expired or was deleted.')).toBeVisible()
  expect(faults).toEqual([])
})
