/** Proof of clean: a run says what it left and why, one press makes its robot a task group of that; it is replayed; and proven. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axe } from '../axe.ts'
import { ask, logIn, type Product } from '../product.ts'
import { expect, testOver } from '../stage.ts'

const WORK_MS = 300_000 // until the demo has made a run that somebody ended early
const HOTEL = 'Kestrel' // its customer lets administrators see maps and reports
const LARGE_M2 = 5

interface Run {
  readonly taskReportId: number
  readonly deviceCode: string
  readonly plannedArea: number
  readonly cleanedArea: number
}

/** With its past, in which some runs were ended early. */
const test = testOver([])

/** A run that left a good part of its area. */
async function openCancelled(page: Page, product: Product) {
  const cancelled = async () => {
    const { list } = await ask(page, product, '/taskReport/list', { currentPage: 1, pageSize: 100, end: 'cancelled' })
    const runs = list as Run[]
    return runs.find((run) => run.deviceCode.startsWith(HOTEL) && run.plannedArea - run.cleanedArea > LARGE_M2)
  }
  await expect.poll(cancelled, { timeout: WORK_MS }).toBeTruthy()
  await page.goto(`${product.url}/device/report/${(await cancelled())?.taskReportId}`)
}

test('make a task group of what a run left by one press', async ({ product, visit }) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin')
  await openCancelled(page, product)
  await expect(page.getByText('the run ended before').first()).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: /^Clean the .* left$/ }).click()
  const ready = page.getByText(/^The task group “.*” is on the robot/)
  await expect(ready).toBeVisible()
  const group = /“(.*)”/.exec((await ready.textContent()) ?? '')?.[1] ?? ''
  await page.getByRole('link', { name: 'Open task groups' }).click()
  await expect(page.getByText(group, { exact: true }).first()).toBeVisible()
  expect(faults).toEqual([])
})

test('a run is replayed on its map by keys, and its way stands where the time line is', async ({ product, visit }) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin')
  await openCancelled(page, product)
  const line = page.getByRole('slider', { name: 'Time of the replay' })
  await line.focus()
  const began = await line.getAttribute('aria-valuetext')
  await page.keyboard.press('End')
  await expect(line).not.toHaveAttribute('aria-valuetext', began ?? '')
  await page.keyboard.press('Home')
  await expect(line).toHaveAttribute('aria-valuetext', began ?? '')
  await page.getByRole('button', { name: '10×' }).click()
  const play = page.getByRole('button', { name: 'Play', exact: true })
  await play.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  await line.focus()
  await page.keyboard.press('End')
  await expect(play).toBeVisible() // it has come to its end
  expect(await axe(page)).toEqual([])
  expect(faults).toEqual([])
})

test('a proof is saved as a signed PDF, and the page says whether a file is as it was sealed', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin')
  await openCancelled(page, product)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'PDF' }).click()
  const content = await readFile(await (await download).path())
  expect(content.subarray(0, 5).toString()).toBe('%PDF-')
  const check = async (buffer: Buffer, says: RegExp) => {
    await page.locator('input[type=file]').setInputFiles({ name: 'proof.pdf', mimeType: 'application/pdf', buffer })
    await expect(page.getByText(says)).toBeVisible()
  }
  await check(content, /^Intact: record \d+ of SC/)
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1
  await check(content, /^Altered/)
  expect(await axe(page)).toEqual([])
  expect(faults).toEqual([])
})
