/** The main job by the keyboard alone: nothing here presses, drags or points. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './stage.ts'

const ROBOT = 'Kestrel L1-B'
const ROOM = 'Meeting 1'
const WORK_MS = 240_000 // a small room, docking included, on a machine that has other work
const MOST_STOPS = 200 // of the Tab key round a page

/** Goes on by Tab until it has the focus. */
async function reach(page: Page, place: Locator) {
  await expect(place).toBeAttached({ timeout: WORK_MS })
  await expect(place).toBeEnabled({ timeout: WORK_MS })
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await place.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not come to ${place}`)
}

async function press(page: Page, place: Locator, key = 'Enter') {
  await reach(page, place)
  await page.keyboard.press(key)
}

test('a room is cleaned by the keyboard alone, from the log-in to the report', async ({ product, visit }) => {
  const { page, faults } = await visit({ motion: true })
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  await page.goto(`${product.url}/login`)
  await reach(page, page.locator('input[name=account]'))
  await page.keyboard.type('user')
  await reach(page, page.locator('input[name=password]'))
  await page.keyboard.type('Lustra-demo-1')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${product.url}/index`)

  // to the robot
  await expect(page.getByRole('heading', { name: 'Status monitoring' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type('Remote control')
  await expect(page.getByRole('option', { name: 'Remote control' }).first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  const line = page.getByRole('listitem').filter({ hasText: ROBOT })
  await press(page, line.getByRole('link', { name: 'Open control page' }))
  await expect(page).toHaveTitle(new RegExp(ROBOT))
  if (await button('End task').isVisible()) {
    await press(page, button('End task'))
    await press(page, button('End now'))
  }

  // a room
  await press(page, button('Clean rooms'))
  await press(page, page.getByRole('checkbox', { name: ROOM, exact: true }), 'Space')
  await expect(page.getByText(/^1 room, /)).toBeVisible({ timeout: WORK_MS })
  await press(page, button(/^(Take control and clean|Clean now)$/))
  await press(page, button(/^Pause/))
  await press(page, button('Resume'))
  await expect(button(/^Pause/)).toBeVisible()
  await reach(page, page.getByRole('radiogroup', { name: 'Simulated speed' }).getByRole('radio', { checked: true }))
  await page.keyboard.press('End')
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowRight')

  // its report; the robot is left to whoever comes next
  const report = page.getByRole('region', { name: 'Run' }).getByRole('link', { name: 'Open report' })
  await expect(report).toBeAttached({ timeout: WORK_MS })
  await press(page, page.getByRole('button', { name: 'Release control', exact: true }))
  await press(page, report)
  await expect(page.getByText('Coverage of the reachable area')).toBeVisible()
  expect(faults).toEqual([])
})
