/**
 * The album: every page of the console × language × theme as a PNG, for the eyes: `npm run album`, into ALBUM (album);
 * LUSTRA_URL looks at a product that runs. A page that breaks, complains or fails axe fails it.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { PAGES } from '../src/app/pages.tsx'
import { axe } from './axe.ts'
import { ask, logIn, type Product } from './product.ts'
import { expect, test } from './stage.ts'

const FOLDER = process.env.ALBUM ?? 'album'
const LANGUAGES = ['zh-CN', 'en', 'ar']
const THEMES = ['light', 'dark'] as const
const ACCOUNT = 'admin' // sees every page
const BESIDES = ['/device/index?view=table', '/no/such/page']
const SETTLE_MS = 2500 // floors load and robots move; a picture needs no more certainty
const WORK_MS = 300_000 // until a robot has finished its first task

const first = async (page: Page, product: Product, path: string, id: string) => {
  const { list } = await ask(page, product, path, { currentPage: 1, pageSize: 30 })
  return list[0]?.[id] as number | undefined
}

/** The parameters of paths, each with one that exists. */
async function examples(page: Page, product: Product): Promise<Record<string, string>> {
  const report = () => first(page, product, '/taskReport/list', 'taskReportId')
  await expect.poll(report, { timeout: WORK_MS }).toBeTruthy()
  const [mapId, taskReportId, deviceId] = [
    await first(page, product, '/map/selectMap', 'mapId'),
    await report(),
    await first(page, product, '/device/selectDevicePc', 'deviceId'),
  ]
  return { mapId: String(mapId), taskReportId: String(taskReportId), deviceId: String(deviceId) }
}

/** `/control/v3/:deviceId` with a robot; the page of a robot's details takes it from the query. */
const filled = (path: string, ids: Record<string, string>) =>
  path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '') +
  (path === '/device/info' ? `?deviceId=${ids.deviceId}` : '')

for (const language of LANGUAGES)
  for (const theme of THEMES)
    test(`every page is right: ${language}, ${theme}`, async ({ product, visit }) => {
      const { page, faults } = await visit({ language, theme })
      const take = async (path: string) => {
        await page.goto(product.url + path)
        await expect(page).toHaveTitle(/ · Lustra$/)
        await page.waitForTimeout(SETTLE_MS)
        const name = path.slice(1).replaceAll(/[^\w]+/g, '-')
        await page.screenshot({ path: join(FOLDER, `${name}-${language}-${theme}.png`) })
        expect.soft([...(await axe(page)), ...faults.splice(0)], path).toEqual([])
      }
      await take('/login')
      await logIn(page, product, ACCOUNT)
      const ids = await examples(page, product)
      for (const { path } of PAGES) await take(filled(path, ids))
      for (const path of BESIDES) await take(path)
    })
