/** A camera of a running robot: watched, renewed, recorded, stopped; its recording played and deleted. In Chromium against the whole product. */
import { networkInterfaces } from 'node:os'
import type { Page } from '@playwright/test'
import { axe } from '../axe.ts'
import { choose, waitOnline } from '../hands.ts'
import { logIn } from '../product.ts'
import { expect, test } from '../stage.ts'

const ROBOT = 'SC0001' // of the customer whose support access the demo has open
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Until the picture stops, unless somebody renews it. */
async function secondsLeft(page: Page) {
  const [minutes = 0, seconds = 0] = (await page.getByRole('timer').innerText()).split(/\D+/).map(Number)
  return minutes * 60 + seconds
}

test('[route.device.videoHistory] [perm.page.device.videoHistory] [perm.button.device.videoHistory.live] [rule.video.remaining] [feat.area.devices] a camera is watched, recorded and stopped, and the recording played', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', '/device/index?view=table')
  await waitOnline(page, product, 1)
  const robot = page.getByRole('row').filter({ hasText: ROBOT })
  await robot.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Live video' }).click()
  const picture = page.getByLabel('Live video: front')
  const width = () => picture.evaluate((video: HTMLVideoElement) => video.videoWidth)
  await expect.poll(width).toBeGreaterThan(0) // without a further press
  expect(await axe(page)).toEqual([])
  await page.getByRole('dialog').getByRole('link', { name: 'Recordings' }).click()
  await expect(page).toHaveURL(/\/device\/videoHistory\?device=\d+/)

  await page.getByRole('button', { name: 'Start live video' }).click()
  await expect.poll(width).toBeGreaterThan(0)
  const seconds = () => picture.evaluate((video: HTMLVideoElement) => video.currentTime)
  const first = await seconds()
  await expect.poll(seconds).toBeGreaterThan(first)
  await expect(page.getByRole('timer')).toHaveText(/^\d:\d\d left$/)
  await expect(page.getByText(/^Watching now: /)).toBeVisible()
  expect(await axe(page)).toEqual([])

  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByText('Recording in progress')).toBeVisible()
  const began = await seconds()
  await expect.poll(seconds).toBeGreaterThan(began + 3)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save picture' }).click()
  expect((await download).suggestedFilename()).toMatch(/^SC0001-front-.*\.png$/)
  const left = await secondsLeft(page)
  await page.getByRole('button', { name: 'Renew' }).click()
  await expect.poll(() => secondsLeft(page)).toBeGreaterThan(left)
  await page.getByRole('button', { name: 'Stop recording' }).click()
  const row = page.getByRole('row', { name: /^Download front-/ })
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: 'Stop live video' }).click()
  await expect(page.getByText('The camera is off.')).toBeVisible()

  await row.getByRole('button', { name: /^Play: / }).click()
  const film = page.getByRole('dialog').getByLabel(/^front-/)
  // How long it is nobody can say: a page that came too late with the pictures has gone on to the newest one.
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.duration)).toBeGreaterThan(0)
  await film.evaluate((video: HTMLVideoElement) => {
    video.currentTime = Math.max(0, video.duration - 1)
  })
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.ended)).toBe(true)
  await page.getByRole('button', { name: '2 ×' }).click()
  expect(await film.evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(2)
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Escape')

  await expect(page.getByRole('row').filter({ hasText: 'Recording played' })).toBeVisible()
  await row.getByRole('button', { name: /^Delete: / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toBeHidden()
  expect(faults).toEqual([])
})

/** Browsers take WebRTC only between addresses of a network: a machine without one goes by HTTP. */
const FIRST_WAY = Object.values(networkInterfaces()).some((all) => all?.some(({ internal }) => !internal))
  ? 'Connected by WebRTC'
  : 'Connected by HTTP'

const start = (page: Page) => page.getByRole('button', { name: 'Start live video' }).click()
const stop = async (page: Page) => {
  await page.getByRole('button', { name: 'Stop live video' }).click()
  await expect(page.getByText('The camera is off.')).toBeVisible()
}

test('a camera is shown beside the map of the robot that is driven', async ({ product, visit }) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', '/control/v3/1')
  await waitOnline(page, product, 1)
  await page.getByRole('button', { name: 'Live video' }).click()
  const picture = page.getByLabel('Live video: front')
  await expect.poll(() => picture.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  await expect(page.getByRole('button', { name: 'Stop live video' })).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Live video', exact: true }).click()
  await expect(picture).toBeHidden()
  expect(faults).toEqual([])
})

test('a camera is watched by WebRTC, by HTTP where UDP is blocked, and the end is seen at once', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  const other = await visit()
  await logIn(page, product, 'user', '/device/videoHistory?device=2') // this robot sends by WebRTC, too
  await waitOnline(page, product, 2)
  await page.reload()
  const line = page.getByText(/^Connected by /)
  await start(page)
  await expect(line).toHaveText(FIRST_WAY)
  const width = () => page.getByLabel('Live video: front').evaluate((video: HTMLVideoElement) => video.videoWidth)
  await expect.poll(width).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'HTTP', exact: true }).click()
  await expect(line).toHaveText('Connected by HTTP')
  await page.getByRole('button', { name: 'Automatic' }).click()
  await expect(line).toHaveText(FIRST_WAY)
  expect(await axe(page)).toEqual([])

  await logIn(other.page, product, 'user', '/device/videoHistory?device=2')
  await start(other.page)
  await expect(other.page.getByText(/^Connected by /)).toBeVisible()
  await stop(other.page)
  await expect(page.getByText(/^Live video has ended/)).toBeVisible()

  await page.addInitScript(() => {
    // No packet reaches the server: as behind a firewall that lets no UDP out.
    const answer = RTCPeerConnection.prototype.setRemoteDescription
    RTCPeerConnection.prototype.setRemoteDescription = function (description: RTCSessionDescriptionInit) {
      return Reflect.apply(answer, this, [
        { ...description, sdp: (description.sdp ?? '').replace(/a=candidate.*\r\n/g, '') },
      ])
    }
  })
  await page.reload()
  await start(page)
  await expect(line).toHaveText('Connected by HTTP')
  await stop(page)
  const offers: string[] = []
  page.on('request', (request) => offers.push(...(request.url().includes('/whep') ? [request.url()] : [])))
  await start(page)
  await expect(line).toHaveText('Connected by HTTP')
  expect(offers).toEqual([]) // it stays there
  await stop(page)
  expect(faults).toEqual([])
})

test('a camera records by itself as its plan says, and stops when the plan ends', async ({ product, visit }) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', '/device/videoHistory?device=1')
  await waitOnline(page, product, 1)
  await page.reload()
  const dialog = page.getByRole('dialog')
  const change = async (days: 'choose' | 'clear') => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    if (days === 'choose') {
      await choose(dialog.getByRole('combobox', { name: /^Cameras/ }), 'rear')
      for (const day of DAYS) await choose(dialog.getByRole('combobox', { name: /^Days/ }), day)
    } else for (const day of DAYS) await dialog.locator(`[title="${day}"] .ant-select-selection-item-remove`).click()
    await dialog.getByText('Automatic recording', { exact: true }).click() // a list of days closes
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
  }
  await change('choose')
  await page.getByRole('group', { name: 'Camera' }).getByRole('button', { name: 'rear' }).click()
  await expect(page.getByText('Recording by plan')).toBeVisible()
  await expect(page.getByText('The camera is on. Start live video to watch it.')).toBeVisible()
  await expect(page.getByRole('timer')).toBeHidden()
  expect(await axe(page)).toEqual([])
  await change('clear')
  const row = page.getByRole('row', { name: /^Download rear-/ })
  await expect(row.filter({ hasText: 'Plan' })).toBeVisible()
  await row.getByRole('button', { name: /^Delete: / }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(row).toBeHidden()
  expect(faults).toEqual([])
})
