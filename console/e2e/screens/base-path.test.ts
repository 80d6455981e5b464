/** The console below a path of its host, beside other sites: nothing of it asks, keeps or leads outside of that path. */
import { drawPng, waitOnline } from '../hands.ts'
import { logIn } from '../product.ts'
import { expect, testOver } from '../stage.ts'

const BASE = '/cleaning/lustra'

const test = testOver(['--no-history'], BASE)

test('below a path of its host the console works whole, and stays there', async ({ product, visit }) => {
  const { context, page, faults } = await visit()
  const { origin } = new URL(product.url)
  const strangers: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin === origin && !url.pathname.startsWith(`${BASE}/`)) strangers.push(url.pathname)
  })
  page.on('websocket', (socket) => {
    const url = new URL(socket.url())
    if (url.host === new URL(origin).host && !url.pathname.startsWith(`${BASE}/`)) strangers.push(url.pathname)
  })
  await page.goto(`${product.url}/device/index?view=table`)
  await page.waitForURL(`${product.url}/login?redirect=%2Fdevice%2Findex%3Fview%3Dtable`)
  await logIn(page, product, 'user', '/device/index?view=table')
  await waitOnline(page, product, 1)
  await expect(page.getByRole('row').filter({ hasText: 'SC0001' })).toContainText(/Cleaning|Moving|Idle|Charging/)

  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Profile picture' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles(await drawPng(page, 300, 300))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const picture = page.getByRole('button', { name: /Account menu/ }).locator('img')
  await expect(picture).toHaveAttribute('src', new RegExp(`^${BASE}/api/public/avatar/`))
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: 'SC0001' })).toBeVisible()
  await expect(picture).toHaveAttribute('src', new RegExp(`^${BASE}/api/public/avatar/`))
  const cookies = (await context.cookies(product.url)).filter(({ name }) => name !== 'language') // the test's own
  expect(cookies.map(({ path }) => path)).toEqual(cookies.map(() => BASE))
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(`${product.url}/login`)
  expect(await context.cookies(product.url)).toHaveLength(1)

  const bare = await page.request.get(`${origin}/readyz`) // health checks come without it
  expect(bare.ok()).toBe(true)
  expect(strangers).toEqual([])
  expect(faults).toEqual([])
})
