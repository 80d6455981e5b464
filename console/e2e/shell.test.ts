/** The frame around all screens, in Chromium against the whole product. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axe } from './axe.ts'
import { logIn, visitor } from './product.ts'
import { browser, product } from './stage.ts'

test('[route.login] [rule.route.auth] a page asked for without a session comes after log-in, with its query', async () => {
  const { context, page, faults } = await visitor(browser, product)
  await page.goto(`${product.url}/device/index?userId=3`)
  await page.waitForURL(`${product.url}/login?redirect=%2Fdevice%2Findex%3FuserId%3D3`)
  assert.deepEqual(await axe(page), [])
  await page.getByRole('button', { name: 'admin' }).click() // a demo account fills the form
  await page.locator('button[type=submit]').click()
  await page.waitForURL(`${product.url}/device/index?userId=3`)
  await page.waitForFunction(() => document.title === 'Device list · Lustra')
  assert.deepEqual(faults, [])
  await context.close()
})

test('[route.login] a wrong password is refused in words, at the form', async () => {
  const { context, page } = await visitor(browser, product)
  await page.goto(`${product.url}/login`)
  await page.locator('input[name=account]').fill('user')
  await page.locator('input[name=password]').fill('not-it')
  await page.locator('button[type=submit]').click()
  assert.notEqual(await page.getByRole('alert').innerText(), '')
  await context.close()
})

test('[rule.tabs.index] [rule.tabs.neighbour] tabs open, stay after a reload, close to their neighbour', async () => {
  const { context, page } = await visitor(browser, product)
  await logIn(page, product, 'rivaluser') // whose tabs no other test opens
  const strip = page.getByRole('navigation', { name: 'Open pages' })
  await page.getByRole('button', { name: 'Device management' }).click()
  await page.getByRole('link', { name: 'Device list', exact: true }).click()
  await strip.getByRole('link', { name: 'Device list' }).waitFor()
  await page.getByRole('link', { name: 'Map list', exact: true }).click()
  await strip.getByRole('link', { name: 'Map list' }).waitFor()
  await page.reload()
  await strip.getByRole('link', { name: 'Map list' }).waitFor()
  assert.deepEqual(await strip.getByRole('link').allInnerTexts(), ['Status monitoring', 'Device list', 'Map list'])
  await strip.getByRole('button', { name: 'Close “Map list”' }).click()
  await page.waitForURL(`${product.url}/device/index`)
  await page.getByRole('button', { name: 'Page actions' }).click()
  await page.getByRole('menuitem', { name: 'Close all' }).click()
  await page.waitForURL(`${product.url}/index`)
  await strip.getByRole('link', { name: 'Device list' }).waitFor({ state: 'detached' })
  assert.deepEqual(await strip.getByRole('link').allInnerTexts(), ['Status monitoring'])
  await context.close()
})

test('[route.refresh] [route.redirect.route] [route.404] have their own ways', async () => {
  const { context, page } = await visitor(browser, product)
  await logIn(page, product, 'user')
  await page.goto(`${product.url}/redirect/device/maplist`)
  await page.waitForURL(`${product.url}/device/maplist`)
  await page.goto(`${product.url}/refresh`)
  await page.waitForURL(`${product.url}/index`)
  await page.goto(`${product.url}/no/such/page`)
  await page.getByText('Page not found').waitFor()
  assert.equal(await page.getByRole('navigation').count(), 0) // outside the layout
  await context.close()
})

test('[i18n.switch] [i18n.rtl] the language changes at once and is kept; Arabic runs from right to left', async () => {
  const { context, page } = await visitor(browser, product)
  await logIn(page, product, 'user')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'العربية' }).click()
  await page.waitForFunction(() => document.documentElement.dir === 'rtl')
  await page.reload()
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'ar')
  await context.close()
})

test('[call.logout] log-out forgets the session in every tab of the browser', async () => {
  const { context, page } = await visitor(browser, product)
  await logIn(page, product, 'user')
  const other = await context.newPage()
  await other.goto(`${product.url}/index`)
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(`${product.url}/login`)
  await other.waitForURL(/\/login/)
  assert.deepEqual(
    (await context.cookies()).map((cookie) => cookie.name).filter((name) => name === 'token'),
    [],
  )
  await context.close()
})
