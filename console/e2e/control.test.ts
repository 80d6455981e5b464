/** The control pages of both generations: driven by hand, sent, found, set; watched and stopped by others, taken over. */
import type { Page } from '@playwright/test'
import { axe } from './axe.ts'
import { chooseFrom, takeControl } from './hands.ts'
import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

const ROBOT = 9 // Orla W4-B, which cleans when the demo begins
const OLDER = 7 // Orla W3-B, protocol 2
const MOVING = /0\.\d+\sm\/s/
const LONG_MS = 120_000 // a drive across a ward, on a machine that has other work
const WALKED = 0.2 // m
const GRIP_MS = 8000
const GRIPS = 12
const ANSWER_MS = 10_000

/** Where the robot says it is, as the server tells it. */
const pose = (page: Page, deviceId: number) =>
  page.evaluate(async (id) => {
    const token = /(?:^|; )token=([^;]*)/.exec(document.cookie)?.[1] ?? ''
    const answer = await fetch('/api/device/selectDeviceByDeviceId', {
      method: 'POST',
      headers: { 'content-type': 'application/json', token },
      body: JSON.stringify({ deviceId: id }),
    })
    const { data } = (await answer.json()) as { data: { x: number; y: number } }
    return { x: data.x, y: data.y }
  }, deviceId)

const apart = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y)

const drive = (page: Page) => page.locator('section').filter({ hasText: 'Manual driving' }).last()
const stands = (page: Page) => drive(page).getByText('0 m/s', { exact: true })
const stop = (page: Page) => page.getByRole('button', { name: 'Emergency stop', exact: true })
/** Where it stands below who has control, px. */
const stopAt = (page: Page) =>
  stop(page).evaluate(
    (button) => button.getBoundingClientRect().y - (button.parentElement?.getBoundingClientRect().y ?? 0),
  )
const command = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const confirmed = (page: Page, name: string) =>
  command(page, name).first().getByText('Confirmed').waitFor({ timeout: LONG_MS })

/** A place of the map's canvas, by shares of its size. */
async function inside(page: Page, x: number, y: number) {
  const box = await floor(page).boundingBox()
  return { x: (box?.width ?? 0) * x, y: (box?.height ?? 0) * y }
}

const floor = (page: Page) => page.locator('[data-floor=shown] canvas[aria-label^="Live map of"]')

/** Takes control and the wheels; what runs is paused first, and only after a question. A robot whose tunnel does not stand
 * yet, just after the product has begun, is asked again, as a person would. */
async function takeWheels(page: Page) {
  await takeControl(page)
  const take = page.getByRole('button', { name: 'Drive manually' })
  const sure = page.getByRole('dialog').getByRole('button', { name: 'Pause and drive' })
  const end = page.getByRole('button', { name: 'End manual driving' }).first()
  await expect(take.or(end).first()).toBeVisible()
  await expect(async () => {
    if (await end.isHidden()) {
      if (await sure.isHidden()) await take.click({ timeout: ANSWER_MS })
      await expect(sure.or(end).first()).toBeVisible({ timeout: ANSWER_MS })
      if (await sure.isVisible()) await sure.click({ timeout: ANSWER_MS })
    }
    await expect(end).toBeVisible({ timeout: ANSWER_MS })
  }).toPass({ timeout: LONG_MS })
  await expect(page.getByRole('dialog')).toBeHidden() // keys pressed in it drive nobody
}

/** What runs ends: the demo gives its robots something to do whenever they rest. */
async function endTask(page: Page) {
  const end = page.getByRole('button', { name: 'End task' })
  const rests = page.getByText('No task running.')
  await expect(end.or(rests)).toBeVisible()
  if (await end.isVisible()) {
    await end.click()
    const all = page.getByRole('menuitem', { name: /^End all/ }) // where others follow
    await expect(all.or(page.getByRole('button', { name: 'Undo' }))).toBeVisible()
    if (await all.isVisible()) await all.click()
  }
  await expect(rests).toBeVisible()
}

const SLOW_MS = 1500

/** A busy machine, a slow line: the page comes to know the robot's answer only after a while. */
const readsLate = (page: Page, command: string) =>
  page.route(new RegExp(`/${command}&`), async (route) => {
    const response = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    await route.fulfill({ response })
  })

/** Holds a key until it is seen to move: back or on, where there is room; a line that was lost meanwhile is gripped anew. */
async function hold(page: Page, seen: Page = page) {
  for (const key of Array.from({ length: GRIPS }, (_, n) => (n % 2 ? 'w' : 's'))) {
    await page.keyboard.down(key)
    const moves = await drive(seen)
      .getByText(MOVING)
      .waitFor({ timeout: GRIP_MS })
      .catch((error: Error) => error)
    if (!(moves instanceof Error)) return () => page.keyboard.up(key)
    await page.keyboard.up(key)
  }
  throw new Error('the robot did not move')
}

test('[route.control.v3.deviceId] [call.relay.common.hand_mode] [call.relay.common.cmdvel_ctrl] driven by hand the robot moves while a key is held, and stands when it is let go', async ({
  product,
  visit,
}) => {
  const holder = await visit()
  const watcher = await visit()
  await logIn(holder.page, product, 'user', `/control/v3/${ROBOT}`)
  await logIn(watcher.page, product, 'dealer', `/control/v3/${ROBOT}`)
  await readsLate(holder.page, 'hand_mode')
  await takeWheels(holder.page)
  await expect(stands(holder.page)).toBeVisible()
  const before = await pose(holder.page, ROBOT)

  let letGo = await hold(holder.page, watcher.page) // the watcher sees it live
  await letGo()
  await expect(stands(holder.page)).toBeVisible()
  await expect(stands(watcher.page)).toBeVisible()
  expect(apart(before, await pose(holder.page, ROBOT))).toBeGreaterThan(0)
  letGo = await hold(holder.page)
  await holder.page.evaluate(() => dispatchEvent(new Event('blur'))) // another window: the key is still down
  await expect(stands(holder.page)).toBeVisible()
  await letGo()
  expect(await axe(holder.page)).toEqual([])

  // whoever watches may not drive, but stop; and takes over only with a reason
  await expect(watcher.page.getByRole('button', { name: 'Joystick' })).toBeDisabled()
  await stop(watcher.page).click()
  await holder.page.getByRole('button', { name: 'Release emergency stop' }).first().click()
  await expect(stop(holder.page)).toBeVisible()
  const places = await Promise.all([stopAt(holder.page), stopAt(watcher.page)])
  await watcher.page.getByRole('button', { name: 'Request control' }).click()
  await expect(holder.page.getByText(/is requesting control/)).toBeVisible()
  await expect(watcher.page.getByText(/^You asked at/)).toBeVisible()
  expect(await Promise.all([stopAt(holder.page), stopAt(watcher.page)])).toEqual(places)
  await watcher.page.getByRole('button', { name: 'Take over' }).click()
  const dialog = watcher.page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Take over' })).toBeDisabled()
  await dialog.getByLabel('Reason').fill('Water on the floor')
  await dialog.getByRole('button', { name: 'Take over' }).click()
  await expect(watcher.page.getByText('You have control')).toBeVisible()
  await expect(holder.page.getByRole('button', { name: 'Joystick' })).toBeDisabled()
  expect(await Promise.all([stopAt(holder.page), stopAt(watcher.page)])).toEqual(places)
  // the former driver's manual mode ended with their control
  await expect(watcher.page.getByRole('button', { name: 'Drive manually' })).toBeVisible()
  await watcher.page.getByRole('button', { name: 'Release control', exact: true }).click()
  await expect(holder.page.getByText('No one has control')).toBeVisible()
  await holder.page.goto(`${product.url}/message/index`) // the reason is said at once, and stays here
  await expect(holder.page.getByText(/Water on the floor/).first()).toBeVisible()
  expect([...holder.faults, ...watcher.faults]).toEqual([])
})

test('[call.relay.common.point_moveto] [call.relay.common.recover_localization] [call.relay.common.robot_params_set] the robot is sent to a place, finds itself, and keeps a parameter', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', `/control/v3/${ROBOT}`)
  await takeWheels(page)
  await page.getByRole('button', { name: 'End manual driving' }).first().click()
  await endTask(page)

  const before = await pose(page, ROBOT)
  const map = floor(page)
  await map.hover({ position: { x: 4, y: 4 } }) // waits until it stands still
  const box = await map.boundingBox()
  if (!box) throw new Error('the map is not shown')
  const at = (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const
  await page.getByRole('button', { name: 'Go to point' }).click()
  await expect(page.getByText(/^Click the destination/)).toBeVisible()
  await page.mouse.click(...at(0.5, 0.5))
  await confirmed(page, 'Go to point')
  await expect(page.getByText('Idle', { exact: true }).first()).toBeVisible({ timeout: LONG_MS })
  expect(apart(before, await pose(page, ROBOT))).toBeGreaterThan(WALKED)

  await page.getByRole('button', { name: 'Drive manually' }).click() // so that nothing else sends it on meanwhile
  await expect(page.getByRole('button', { name: 'End manual driving' }).first()).toBeVisible()
  await chooseFrom(page.getByRole('button', { name: 'Relocalise', exact: true }), 'Relocalise in an area')
  await page.mouse.move(...at(0.26, 0.29))
  await page.mouse.down()
  await page.mouse.move(...at(0.5, 0.5))
  await page.mouse.move(...at(0.82, 0.71))
  await page.mouse.up()
  await confirmed(page, 'Relocalise in an area')
  await page.getByRole('button', { name: 'End manual driving' }).first().click()
  await expect(page.getByRole('button', { name: 'Drive manually' })).toBeVisible()

  await page.getByRole('button', { name: 'Settings' }).click()
  const speed = page.getByRole('dialog').getByLabel('Low speed')
  await speed.fill('0.9')
  await expect(page.getByText('Must be between 0.1 and 0.5 m/s')).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Save' })).toBeDisabled()
  await speed.fill('0.25')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('dialog').getByLabel('Low speed')).toHaveValue('0.25')
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Release control', exact: true }).click()
  await expect(page.getByText('No one has control')).toBeVisible()
  expect(faults).toEqual([])
})

test('[call.relay.map.draw_new_map] [call.relay.map.map_save] [state.map_build] a map is built from the page and grows on it', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', `/control/v3/${ROBOT}`)
  await takeControl(page)
  await endTask(page)
  await chooseFrom(page.getByRole('button', { name: 'More', exact: true }), 'Build a new map')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Map name').fill('Drawn again')
  await dialog.getByLabel('Let the robot explore').click()
  await dialog.getByRole('button', { name: 'Build a new map' }).click()
  await expect(page.getByLabel(/Live map of .*Drawn again/)).toBeVisible()
  await expect(page.getByText(/^\d{2,}\sm²$/).first()).toBeVisible({ timeout: LONG_MS })
  await page.getByRole('button', { name: 'Save map' }).click()
  await confirmed(page, 'Save “Drawn again”')
  await expect(page.getByText('Map building')).toBeHidden()
  await expect(page.getByLabel(/Live map of .*Drawn again/)).toBeVisible()
  await page.getByRole('button', { name: 'Release control', exact: true }).click()
  expect(faults).toEqual([])
})

test('[route.device_control.index] [route.control.v2.deviceId] [call.relay.common.utils_ctrl] an older robot has its page: stopped, released and switched as it knows it', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', '/device_control/index')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Orla W3-B' })
    .getByRole('link', { name: 'Open control page' })
    .click()
  await page.waitForURL(`**/control/v2/${OLDER}`)
  await takeControl(page)
  await stop(page).click()
  await page.getByRole('button', { name: 'Release emergency stop' }).first().click()
  await expect(stop(page)).toBeVisible()
  await page.getByRole('button', { name: 'Equipment' }).click()
  const light = page.getByRole('radiogroup', { name: 'Headlight' })
  await light.getByText('On').click()
  await expect(light.getByRole('radio', { name: 'On' })).toBeChecked()
  await page.keyboard.press('Escape')
  await confirmed(page, 'Headlight: level 1')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Record sensor data' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Clear noise' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Release control', exact: true }).click()
  expect(faults).toEqual([])
})

const RESTING = 2 // Kestrel L1-B

test('a room is pressed on the map and cleaned, without drawing and without taking control before', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', `/control/v3/${RESTING}`)
  await expect(floor(page)).toBeVisible()
  await endTask(page)
  const rooms = page.getByRole('list', { name: 'Rooms' })
  await expect(async () => {
    await floor(page).click({ position: await inside(page, 0.35, 0.35) }) // Meeting 1, once the floor is drawn
    await expect(rooms.getByRole('checkbox', { checked: true })).toHaveCount(1, { timeout: 1000 })
  }).toPass()
  await expect(page.getByText(/^1 room, /)).toBeVisible({ timeout: LONG_MS })
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Take control and clean' }).click()
  await expect(page.getByText('No task running.')).toBeHidden({ timeout: LONG_MS })
  await expect(page.getByRole('region', { name: 'Run' }).getByText('Clean Meeting 1')).toBeVisible()
  await endTask(page)
  await page.getByRole('button', { name: 'Release control' }).click()
  expect(faults).toEqual([])
})
