/** What Chromium really fetches for a cold first page: the files of the console, gzipped, and how many they are. */
import { gzipSync } from 'node:zlib'
import type { Response } from '@playwright/test'
import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

const MOST_FILES = 40
const LIMITS = [
  { path: '/login', kb: 120, ready: 'input[name=account]' },
  { path: '/device/index', kb: 250, ready: 'main h2' },
]

/** A file that is sent without content (a favicon asked for twice) weighs nothing. */
const weightOf = async (response: Response) => gzipSync(await response.body().catch(() => ''), { level: 9 }).length

for (const { path, kb, ready } of LIMITS)
  test(`the first load of ${path} is at most ${kb} KB and ${MOST_FILES} files`, async ({ browser, product, visit }) => {
    const before = await visit({ language: 'zh-CN' })
    if (path !== '/login') await logIn(before.page, product, 'admin', '/message/index')
    const storageState = await before.context.storageState()

    const cold = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
    const page = await cold.newPage()
    const files: Response[] = []
    page.on('response', (response) => response.url().includes('/api/') || files.push(response))
    await page.goto(product.url + path)
    await expect(page.locator(ready).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    const weights = await Promise.all(files.map(weightOf))
    const total = weights.reduce((sum, weight) => sum + weight, 0) / 1024
    test.info().annotations.push({ type: 'weight', description: `${total.toFixed(1)} KB in ${files.length} files` })
    expect(new URL(page.url()).pathname).toBe(path)
    expect(files.length).toBeLessThanOrEqual(MOST_FILES)
    expect(total).toBeLessThanOrEqual(kb)
    await cold.close()
  })
