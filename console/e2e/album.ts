/**
 * The album: every page of the console × language × theme as a PNG, for the eyes: `npm run album`, into ALBUM (album);
 * LUSTRA_URL looks at a product that runs. A page that breaks, complains or fails axe fails it.
 */
import { join } from 'node:path'
import { axe } from './axe.ts'
import { logIn } from './product.ts'
import { paths } from './screens/routes.ts'
import { expect, test } from './stage.ts'

const FOLDER = process.env.ALBUM ?? 'album'
const LANGUAGES = ['zh-CN', 'en', 'ar']
const THEMES = ['light', 'dark'] as const
const ACCOUNT = 'admin' // sees every page
const SETTLE_MS = 2500 // floors load and robots move; a picture needs no more certainty

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
      for (const path of await paths(page, product)) await take(path)
    })
