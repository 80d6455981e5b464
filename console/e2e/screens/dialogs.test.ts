/**
 * Every dialog, each opened once: axe finds nothing in it, from left to right in the light and from right to left in the dark,
 * in the album in both themes either way. Theme and language are changed under it, as a person changes them.
 */
import type { Page } from '@playwright/test'
import { axe } from '../axe.ts'
import { ask, logIn, type Product } from '../product.ts'
import { expect, test } from '../stage.ts'
import { speak } from './language.ts'

const OPENED_MS = 15_000
const THEMES = ['light', 'dark'] as const
const LOOKS = { en: 'light', ar: 'dark' } as const
const ROBOT = 'Kestrel L2-A' // whose customer lets support in
const REPORT = ':report' // in a path: the newest
const MORE = [new RegExp(`^More: ${ROBOT}$`)]

/** A page, and what is pressed there until the dialog stands; words are those of buttons and of entries of menus. */
type Way = readonly [path: string, ...presses: (string | RegExp)[]]

const ofDevices: readonly Way[] = [
  ...['Device type', 'Authorisation code', 'Import', 'Add device'].map((name): Way => ['/device/index', name]),
  ...['Edit', 'Owner, customer, elevator', 'Edit hardware', 'Consumable', 'Maintenance', 'Device password'].map(
    (name): Way => ['/device/index', ...MORE, name],
  ),
  ...['Return to charge', 'Delete'].map((name): Way => ['/device/index', ...MORE, name]),
  ['/device/info?deviceId=2', /^More: /, 'Assign user'],
  ['/device/info?deviceId=2', 'Reset'],
  ...['Settings', 'Equipment', 'Sensors'].map((name): Way => ['/control/v3/2', name]),
  ...['Door access', 'Record sensor data'].map((name): Way => ['/control/v3/2', 'More', name]),
  ['/device/log', 'Live log'],
  ['/device/log', 'Delete by date'],
  ['/device/group', 'Add device group'],
  ['/device/group', /^Edit: /],
  ['/device/group', /^Delete: /],
]
const ofWork: readonly Way[] = [
  ['/device/maplist', 'Build a new map'],
  ['/device/maplist', 'Import map'],
  ['/device/maplist', 'Send to several robots'],
  ['/device/maplist', /^More: kestrel-/, 'Heat map'],
  ['/device/taskList', 'All return to charge'],
  ['/device/taskList', 'Schedule task'],
  ['/device/report', 'Delete older than…'],
  ['/device/report', 'Add report'],
  ['/device/report/:report', 'Edit'],
  ['/device/report/:report', 'Delete'],
  ['/device/warn', 'Delete older than…'],
  ['/warn/index/warn', /^Resolve alarm: /],
  ['/warn/index/warn', /^Resolve all of this robot: /],
  ['/warn/index/warn', 'Quiet hours and escalation'],
  ['/warn/index/warn_set', 'Test channels'],
]
const ofLists: readonly Way[] = [
  ['/device/repair', 'Delete older than…'],
  ['/device/repair', 'Report a fault'],
  ['/device/repair', /^Edit: /],
  ['/device/repair', /^Delete: /],
  ['/device/hire', 'Record lease'],
  ['/device/hardSupportIndex', 'Add hardware part'],
  ['/device/hardSupportIndex', /^Edit: /],
  ['/device/hardSupportIndex', /^Delete: /],
  ['/device/index/product/batch/index', 'Add production batch'],
  ['/device/index/product/batch/index', /^Fit to devices: /],
  ['/device/index/product/batch/index', /^Edit: /],
  ['/device/index/hostManage', 'Add transfer node'],
  ['/elevator/index', 'Add elevator'],
  ['/elevator/index', /^Status and rides: /],
  ['/elevator/index', /^Edit: /],
  ['/elevator/index', /^Delete: /],
  ['/device/ad', 'Add advert'],
  ['/file/host', 'Add server'],
  ['/file/file_list', 'Add file'],
  ['/file/knowledge', 'Write article'],
]
const ofVersions: readonly Way[] = [
  ['/device/dataBackup', 'Back up a robot'],
  ['/device/dataBackup', 'Backup plan'],
  ['/version/soft', 'Add software'],
  ['/version/fireware', 'Add firmware'],
  ['/version/app', 'Add app version'],
  ['/version/index/whole_version', 'Add system version'],
  ['/version/index/cloud_version', 'Add cloud version'],
  ['/version/configure', 'Add parameter'],
]
const ofPeople: readonly Way[] = [
  ['/user/index', 'Add dealer'],
  ['/user/index', /^Edit: /],
  ['/user/index', /^Permission: /],
  ...['Assign robots', 'End all sessions', 'Personal data', 'Delete'].map(
    (name): Way => ['/user/index', /^More: /, name],
  ),
  ['/user/userShadow', 'Add shadow user'],
  ['/user/userShadow', /^More: /, 'Initial password'],
]

const ALL = { devices: ofDevices, work: ofWork, lists: ofLists, versions: ofVersions, people: ofPeople }

for (const [of, all] of Object.entries(ALL))
  test(`dialogs of ${of} are right for axe in the light and the dark, in both directions`, async ({
    product,
    visit,
  }) => {
    const visitors = await Promise.all([visit(), visit()])
    for (const { page } of visitors) await logIn(page, product, 'admin')
    const ways = [...all]
    const report = ways.some(([path]) => path.includes(REPORT)) && (await newestReport(visitors[0].page, product))
    await Promise.all(
      visitors.map(async ({ page, faults }) => {
        let present = ''
        for (let way = ways.shift(); way; way = ways.shift()) {
          const [path, ...presses] = way
          if (path === present) await close(page)
          else await page.goto(product.url + path.replace(REPORT, String(report)))
          present = path
          const label = [path, ...presses].join(' › ')
          expect.soft([...(await problemsOf(page, presses, label)), ...faults.splice(0)], label).toEqual([])
        }
      }),
    )
  })

/** Of a run that has ended, of a customer who lets support in. */
async function newestReport(page: Page, product: Product): Promise<number> {
  const reports = async () => {
    const { list } = await ask(page, product, '/taskReport/list', { currentPage: 1, pageSize: 50 })
    return (list as { taskReportId: number; deviceCode: string; end: string }[]).find(
      ({ deviceCode, end }) => /^Kestrel/.test(deviceCode) && end !== 'running', // a run that lasts is not edited
    )
  }
  await expect.poll(reports, { timeout: 300_000 }).toBeTruthy()
  return (await reports())?.taskReportId ?? 0
}

/** As a person leaves a dialog without a change; the next one on its page is opened without loading the page again. */
async function close(page: Page) {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden({ timeout: OPENED_MS })
}

async function problemsOf(page: Page, presses: readonly (string | RegExp)[], label: string): Promise<string[]> {
  for (const name of presses) {
    const exact = typeof name === 'string'
    const button = page.locator('main').getByRole('button', { name, exact })
    await button.or(page.getByRole('menuitem', { name, exact })).first().click()
  }
  const dialog = page.getByRole('dialog')
  await expect(dialog, label).toBeVisible({ timeout: OPENED_MS })
  const problems: string[] = []
  for (const [language, own] of Object.entries(LOOKS)) {
    await speak(page, language)
    await expect(dialog, label).toBeVisible()
    for (const colorScheme of test.info().project.name === 'album' ? THEMES : [own]) {
      await page.emulateMedia({ colorScheme })
      const faults = await axe(page, '[role=dialog]')
      problems.push(...faults.map((fault) => `${language}, ${colorScheme}: ${fault}`))
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await speak(page, 'en')
  return problems
}

test('a day is written, and its calendar speaks, as the language does', async ({ product, visit }) => {
  const { page } = await visit()
  await logIn(page, product, 'admin')
  await page.goto(`${product.url}/device/repair?from=2026-11-01&to=2026-11-20`)
  const from = page.locator('main').getByRole('textbox').and(page.locator('[date-range=start]'))
  await expect(from).toBeVisible()
  for (const [language, day, report, today] of [
    ['en', '01/11/2026', 'Report a fault', 'Today'],
    ['zh-CN', '2026/11/01', '报修', '今天'],
    ['ar', '01/11/2026', 'الإبلاغ عن عطل', 'اليوم'],
    ['de', '01.11.2026', 'Störung melden', 'Heute'],
  ] as const) {
    await speak(page, language)
    await expect(from).toHaveValue(day)
    await page.getByRole('button', { name: report, exact: true }).click()
    await page.getByRole('dialog').locator('.ant-picker').click()
    await expect(page.locator('.ant-picker-now').getByText(today, { exact: true })).toBeVisible()
    await page.getByRole('dialog').locator('.ant-picker input').fill(day)
    await page.keyboard.press('Enter') // chooses it, and does not send the form
    // Escape is the dialog's only once the calendar is off the page.
    await expect(page.locator('.ant-picker-now')).toBeHidden()
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})
