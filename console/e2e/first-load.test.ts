/** What Chromium really fetches for a cold first page: the files of the console, gzipped, and how many they are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Response } from 'playwright-core'
import { logIn, visitor } from './product.ts'
import { browser, product } from './stage.ts'

const MOST_FILES = 40
const LIMITS = [
  { path: '/login', kb: 120, ready: 'input[name=account]' },
  { path: '/device/index', kb: 250, ready: 'main h2' },
]

/** A file that is sent without content (a favicon asked for twice) weighs nothing. */
const weightOf = async (response: Response) => gzipSync(await response.body().catch(() => ''), { level: 9 }).length

for (const { path, kb, ready } of LIMITS)
  test(`the first load of ${path} is at most ${kb} KB and ${MOST_FILES} files`, async (context) => {
    const before = await visitor(browser, product, { language: 'zh-CN' })
    if (path !== '/login') await logIn(before.page, product, 'admin', '/message/index')
    const storageState = await before.context.storageState()
    await before.context.close()

    const cold = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
    const page = await cold.newPage()
    const files: Response[] = []
    page.on('response', (response) => response.url().includes('/api/') || files.push(response))
    await page.goto(product.url + path)
    await page.locator(ready).first().waitFor()
    await page.waitForLoadState('networkidle')
    const weights = await Promise.all(files.map(weightOf))
    const total = weights.reduce((sum, weight) => sum + weight, 0) / 1024
    context.diagnostic(`${path}: ${total.toFixed(1)} KB gzip in ${files.length} files`)
    assert.equal(new URL(page.url()).pathname, path)
    assert.ok(files.length <= MOST_FILES, `${files.length} files`)
    assert.ok(total <= kb, `${total.toFixed(1)} KB`)
    await cold.close()
  })
