/** The album: every screen × language × theme as a PNG, for the eyes. `npm run album -- FOLDER [language…]`; LUSTRA_URL looks at a product that runs. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { axe } from './axe.ts'
import { ask, closeAll, logIn, type Product, startBrowser, startProduct, visitor } from './product.ts'

const [folder = 'album', ...languages] = process.argv.slice(2)
const LANGUAGES = languages.length > 0 ? languages : ['zh-CN', 'en', 'ar']
const THEMES = ['light', 'dark'] as const
const ACCOUNT = 'user'
const SCREENS = {
  index: '/index',
  devices: '/device/index',
  table: '/device/index?view=table',
  maps: '/device/maplist',
  controls: '/device_control/index',
  reports: '/device/report',
  users: '/user/index',
  shadows: '/user/userShadow',
  groups: '/user/index/role_group',
  messages: '/message/index',
  missing: '/no/such/page',
}
const SETTLE_MS = 2500 // floors load and robots move; a picture needs no more certainty

async function firstRobot(page: Page, product: Product): Promise<number> {
  const filter = { currentPage: 1, pageSize: 30, mode: 'cleaning' }
  const { list } = await ask(page, product, '/device/selectDevicePc', filter)
  return list[0].deviceId
}

const product = await startProduct()
const browser = await startBrowser()
await mkdir(folder, { recursive: true })
try {
  for (const language of LANGUAGES)
    for (const theme of THEMES) {
      const { context, page, faults } = await visitor(browser, product, { language, theme })
      const take = async (name: string) => {
        await page.waitForTimeout(SETTLE_MS)
        await page.screenshot({ path: join(folder, `${name}-${language}-${theme}.png`) })
        const faultLines = [...(await axe(page)), ...faults.splice(0)]
        console.log(`${name} ${language} ${theme}${faultLines.map((fault) => `\n  ${fault}`).join('')}`)
      }
      await page.goto(`${product.url}/login`)
      await take('login')
      await logIn(page, product, ACCOUNT)
      const robot = await firstRobot(page, product)
      for (const [name, path] of Object.entries({ ...SCREENS, control: `/control/v3/${robot}` })) {
        await page.goto(product.url + path)
        await take(name)
      }
      await context.close()
    }
} finally {
  await closeAll(browser, product)
}
