/** The frame around all screens, in Chromium against the whole product. */
import { axe } from './axe.ts'
import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

test('[route.login] [rule.route.auth] [feat.router.history] [feat.router.tab_title] a page asked for without a session comes after log-in, with its query', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit({ motion: true })
  await page.goto(`${product.url}/device/index?userId=3`)
  await page.waitForURL(`${product.url}/login?redirect=%2Fdevice%2Findex%3FuserId%3D3`)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'admin' }).click() // a demo account fills the form
  await page.locator('button[type=submit]').click()
  await page.waitForURL(`${product.url}/device/index?userId=3`)
  await page.waitForFunction(() => document.title === 'Devices · Lustra')
  expect(faults).toEqual([])
})

test('[route.login] a wrong password is refused in words, at the form', async ({ product, visit }) => {
  const { page } = await visit()
  await page.goto(`${product.url}/login`)
  await page.locator('input[name=account]').fill('user')
  await page.locator('input[name=password]').fill('not-it')
  await page.locator('button[type=submit]').click()
  await expect(page.getByRole('alert')).not.toHaveText('')
})

test('[rule.tabs.index] [rule.tabs.neighbour] [feat.tabs.close] [feat.tabs.persist] tabs open, stay after a reload, close to their neighbour', async ({
  product,
  visit,
}) => {
  const { page } = await visit()
  await logIn(page, product, 'rivaluser') // whose tabs no other test opens
  const strip = page.getByRole('navigation', { name: 'Open pages' })
  await page.getByRole('button', { name: 'Device management' }).click()
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  await expect(strip.getByRole('link', { name: 'Devices' })).toBeVisible()
  await page.getByRole('link', { name: 'Maps', exact: true }).click()
  await expect(strip.getByRole('link', { name: 'Maps' })).toBeVisible()
  await page.reload()
  await expect(strip.getByRole('link', { name: 'Maps' })).toBeVisible()
  await expect(strip.getByRole('link')).toHaveText(['Status monitoring', 'Devices', 'Maps'])
  await strip.getByRole('button', { name: 'Close “Maps”' }).click()
  await page.waitForURL(`${product.url}/device/index`)
  await page.getByRole('button', { name: 'Page actions' }).click()
  await page.getByRole('menuitem', { name: 'Close all tabs' }).click()
  await page.waitForURL(`${product.url}/index`)
  await expect(strip.getByRole('link', { name: 'Devices' })).toBeHidden()
  await expect(strip.getByRole('link')).toHaveText(['Status monitoring'])
})

test('[const.layout] [feat.layout.side_menu] the menu is 200 px wide, folded 65 px', async ({ product, visit }) => {
  const { page } = await visit()
  await logIn(page, product, 'user')
  const width = async () => (await page.locator('aside').first().boundingBox())?.width
  await expect.poll(width).toBe(200)
  await page.getByRole('button', { name: 'Main menu: Collapse' }).click()
  await expect.poll(width).toBe(65)
  // The account remembers it: whoever logs in next finds the menu as it was left.
  const saved = page.waitForRequest((request) => request.postData()?.includes('"collapsed":false') ?? false)
  await page.getByRole('button', { name: 'Main menu: Expand' }).click()
  await expect.poll(width).toBe(200)
  await (await saved).response()
})

test('[feat.layout.breadcrumbs] [feat.header.fullscreen] the header says where one is, and fills the screen', async ({
  product,
  visit,
}) => {
  const { page } = await visit()
  await logIn(page, product, 'user')
  await page.goto(`${product.url}/device/maplist`)
  const crumbs = page.getByRole('navigation', { name: 'Current location' })
  await expect(crumbs).toContainText('Device management')
  await expect(crumbs).toContainText('Maps')
  await page.getByRole('button', { name: 'Full screen', exact: true }).click()
  await page.waitForFunction(() => document.fullscreenElement !== null)
  await page.getByRole('button', { name: 'Exit full screen' }).click()
  await page.waitForFunction(() => document.fullscreenElement === null)
})

test('[route.root] [route.redirect.route] [route.404] [err.text.route_not_found] have their own ways', async ({
  product,
  visit,
}) => {
  const { page } = await visit()
  await logIn(page, product, 'user')
  await page.goto(`${product.url}/redirect/device/maplist`)
  await page.waitForURL(`${product.url}/device/maplist`)
  await page.goto(`${product.url}/`)
  await page.waitForURL(`${product.url}/index`)
  await page.goto(`${product.url}/refresh`)
  await page.waitForURL(`${product.url}/index`)
  await page.goto(`${product.url}/no/such/page`)
  await expect(page.getByText('Page not found')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0) // outside the layout
})

test('[i18n.switch] [i18n.rtl] [feat.header.language] the language changes at once and is kept; Arabic runs from right to left', async ({
  product,
  visit,
}) => {
  const { page } = await visit()
  await logIn(page, product, 'user')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'العربية' }).click()
  await page.waitForFunction(() => document.documentElement.dir === 'rtl')
  await page.reload()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('ar')
})

test('[call.logout] [feat.exit] log-out forgets the session in every tab of the browser', async ({
  product,
  visit,
}) => {
  const { context, page } = await visit()
  await logIn(page, product, 'user')
  const other = await context.newPage()
  await other.goto(`${product.url}/index`)
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(`${product.url}/login`)
  await other.waitForURL(/\/login/)
  expect((await context.cookies()).map((cookie) => cookie.name).filter((name) => name === 'token')).toEqual([])
})

test('a page whose code did not arrive is loaded again by itself', async ({ product, visit }) => {
  const { page } = await visit()
  await logIn(page, product, 'user')
  const code = /\/assets\/first-console-.*\.js/
  await page.route(code, (route) => route.abort())
  await page.goto(`${product.url}/index`)
  await page.waitForRequest((request) => request.isNavigationRequest())
  await page.unroute(code)
  await expect(page.getByRole('button', { name: /Account menu/ })).toBeVisible()
})

test('notice, show and mend a network that is cut without a word', async ({ product, visit }) => {
  const { context, page } = await visit()
  let cut = false
  await page.routeWebSocket(/api\/live/, (web) => {
    if (cut) return // it opens, and stays silent
    const server = web.connectToServer()
    web.onMessage((message) => server.send(message))
    server.onMessage((message) => cut || web.send(message))
  })
  await logIn(page, product, 'user')
  const bar = page.getByRole('alert').filter({ hasText: 'No connection since' })
  await expect(page.getByText('Live ·')).toBeVisible()
  cut = true
  await expect(bar).toBeVisible()
  await expect(page.getByText('Live ·')).toBeHidden()
  expect(await axe(page)).toEqual([])
  cut = false
  await bar.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Live ·')).toBeVisible()
  await expect(bar).toBeHidden()

  await context.setOffline(true)
  await expect(bar).toBeVisible()
  await context.setOffline(false) // the browser says so: nobody presses anything
  await expect(bar).toBeHidden()
})
