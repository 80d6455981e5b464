/** An alarm from the robot that raises it to the person who resolves it, in Chromium against the whole product. */
import type { Page, Route } from '@playwright/test'
import { axe } from './axe.ts'
import { ask, logIn, type Product } from './product.ts'
import { expect, test } from './stage.ts'

const BLACK_BOX_MS = 60_000 // ten seconds after the alarm, then it is sent and prepared
const ROBOT = 'Orla W3-A'
const HOTEL = 'Kestrel' // its customer lets administrators see maps and reports

interface Listed {
  readonly deviceId: number
  readonly deviceCode: string
  readonly online: number
}

/** A robot whose name begins so, once it is online: the demo may have only begun. */
async function findRobot(page: Page, product: Product, name: string) {
  const find = async () => {
    const { list } = await ask(page, product, '/device/selectDevicePc', { currentPage: 1, pageSize: 100 })
    return (list as Listed[]).find(({ deviceCode, online }) => deviceCode.startsWith(name) && online === 1)
  }
  await expect.poll(async () => (await find()) !== undefined).toBe(true)
  const deviceId = (await find())?.deviceId
  const fault = (on: boolean) => ask(page, product, '/device/fault', { deviceId, name: 'stuck', on })
  return { deviceId, fault }
}

/** The next of these requests of the page, which goes on when it is let. */
const holdBack = (page: Page, path: string) =>
  new Promise<Route>((resolve) => void page.route(new RegExp(`${path}$`), resolve, { times: 1 }))

test('[feat.header.alarms, state.alarm, perm.button.warn.index.warn.resume] a robot is stuck: header, status page, lists and control page say so, until it is resolved', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin', '/warn/index/warn')
  await page.getByRole('checkbox', { name: 'Show alarms' }).check()
  const { fault } = await findRobot(page, product, ROBOT)

  await fault(true)
  await expect(page.getByRole('alert').getByText(`Stuck · ${ROBOT}`)).toBeVisible()
  const row = page
    .getByRole('row', { name: new RegExp(ROBOT) })
    .filter({ hasText: 'Stuck' })
    .first()
  await expect(row).toContainText('Unresolved')
  await row.getByRole('button', { name: `Expand: Stuck, ${ROBOT}` }).click()
  await expect(page.getByText('Clear the space around the robot')).toBeVisible()
  await expect(page.getByText(/^Cloud platform · /).first()).toBeVisible() // its owner was notified
  expect(await axe(page)).toEqual([])
  await row.getByRole('button', { name: `I am on it: Stuck, ${ROBOT}` }).click()
  await expect(row).toContainText('is on it')

  await page
    .getByRole('link', { name: /^Live alarms: / })
    .first()
    .click()
  await expect(page.getByRole('row', { name: new RegExp(ROBOT) })).toContainText('Stuck')
  await page.goto(`${product.url}/index`)
  await expect(page.getByRole('list', { name: 'Needs attention' }).getByText('Stuck')).toBeVisible()

  await page.goto(`${product.url}/warn/index/warn`)
  await page
    .getByRole('button', { name: `Resolve alarm: Stuck, ${ROBOT}` })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve alarm' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(row).toContainText('Resolved')

  await fault(false)
  await fault(true) // a new cause is a new alarm
  await expect(row).toContainText('Unresolved')
  await fault(false) // and it is over by itself with it
  await expect(row).toContainText('Resolved')
  expect(faults).toEqual([])
})

test('an alarm opens what its robot did around it, by keys too', async ({ product, visit }) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin', '/warn/index/warn')
  const { deviceId, fault } = await findRobot(page, product, HOTEL)
  const newest = async () => {
    const { list } = await ask(page, product, '/warn/list', { deviceId, code: 'stuck', currentPage: 1, pageSize: 1 })
    return (list as { warnId: number }[])[0]?.warnId
  }
  await fault(true)
  await expect.poll(newest).toBeTruthy()
  const history = holdBack(page, '/warn/listNotifications')
  await page.goto(`${product.url}/warn/index/warn?deviceId=${deviceId}`)
  await page
    .getByRole('button', { name: /^Expand: Stuck/ })
    .first()
    .click()
  const replay = page.getByRole('link', { name: 'See what happened' })
  const place = await replay.boundingBox()
  await (await history).continue()
  await expect(page.getByText(/^Cloud platform · /).first()).toBeVisible()
  expect(await replay.boundingBox()).toEqual(place)
  await replay.click()
  await expect(page).toHaveURL(`${product.url}/index/realWarn/${await newest()}`)
  const line = page.getByRole('slider', { name: 'Time of the replay' })
  await expect(line).toHaveAttribute('aria-valuetext', /battery/)
  const began = await line.getAttribute('aria-valuetext')
  await line.focus()
  await page.keyboard.press('Home')
  await expect(line).not.toHaveAttribute('aria-valuetext', began ?? '')
  await expect(page.getByRole('button', { name: /, Alarm: Stuck/ })).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.getByRole('link', { name: 'Open on the floor' }).click({ timeout: BLACK_BOX_MS })
  const recording = page.getByRole('dialog', { name: /^alarm-/ })
  await expect(recording.getByRole('slider', { name: 'Time of the replay' })).toBeVisible()
  await expect(recording.getByText('/scan').first()).toBeVisible()
  await page.goto(`${product.url}/control/v3/${deviceId}`)
  await page.getByRole('link', { name: /^Stuck, / }).click()
  await expect(page).toHaveURL(`${product.url}/index/realWarn/${await newest()}`)
  await fault(false)
  expect(faults).toEqual([])
})
