/** What was cleaned, as a manager asks: over a range, by keys, as a picture and a spreadsheet; and a run corrected by hand. */
import { readFile } from 'node:fs/promises'
import { axe } from '../axe.ts'
import { ask, logIn } from '../product.ts'
import { expect, test } from '../stage.ts'

const WORK_MS = 300_000 // until a robot has finished its first task
const PNG = [0x89, 0x50, 0x4e, 0x47]

test('[route.reportChart] a range is read by keys, saved as a picture and follows a run that is corrected', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin')
  const finished = async () =>
    (await ask(page, product, '/taskReport/list', { currentPage: 1, pageSize: 1, end: 'finished' })).total
  await expect.poll(finished, { timeout: WORK_MS }).toBeGreaterThan(0)
  await page.goto(`${product.url}/reportChart?range=week`)
  const chart = page.getByRole('slider', { name: 'Cleaned area by day' })
  await chart.focus()
  await page.keyboard.press('End')
  await expect(chart).toHaveAttribute('aria-valuetext', /m²$/)
  await expect(chart.locator('svg')).toBeVisible()
  expect(await axe(page)).toEqual([])

  const picture = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save picture' }).click()
  const saved = await picture
  expect(saved.suggestedFilename()).toBe('report-chart-area.png')
  expect([...(await readFile(await saved.path())).subarray(0, 4)]).toEqual(PNG)

  await page.getByRole('button', { name: 'Set targets' }).click()
  await page.getByLabel('Target per robot and day (m²)').fill('40')
  await page.getByLabel('Manual cleaning speed (m²/h)').fill('310')
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/m² of [\d,]+\sm²/)).toBeVisible()
  await expect(page.getByText(/compared with 310\sm².h for manual cleaning/)).toBeVisible()
  await expect(page.getByText('Shown once it is set how much water a person uses per m².')).toBeVisible()
  await expect(chart).toHaveAttribute('aria-valuetext', /Target: [\d,]+\sm²$/)

  await page.goto(`${product.url}/device/report?end=finished`)
  await page.locator('tbody').getByRole('link').first().click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Cleaned area').fill('12')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Changed manually:.*The robot reported/)).toBeVisible()
  expect(await axe(page)).toEqual([])
  expect(faults).toEqual([])
})
