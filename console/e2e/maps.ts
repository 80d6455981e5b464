/** The list of maps and the editor, as a person uses them. */
import { expect, type Locator, type Page } from '@playwright/test'

export const HOTEL = '/device/maplist?building=Kestrel+Quay+Hotel'
export const CLINIC = '/device/maplist?building=St.+Orla+Clinic'

/** A robot's map in the list: a card of its own, or a line of its floor's card. */
export const mapOf = (page: Page, robot: string, name?: string) =>
  page.locator(name === undefined ? '[data-map]' : `[data-map="${name}"]`).filter({ hasText: `On ${robot} ` })

/** What can be done with the map of that card. */
export const dotsOf = (map: Locator) => map.getByRole('button', { name: /^More/ })

export const floor = (page: Page) => page.locator('[data-floor=shown] canvas').first()

export const element = (page: Page, name: string | RegExp) =>
  page.getByRole('region', { name: 'Elements' }).getByRole('listitem').filter({ hasText: name })

export async function openEditor(page: Page, robot: string) {
  await mapOf(page, robot).getByRole('link', { name: /^Edit/ }).click()
  await expect(floor(page)).toBeVisible()
}

/** Looks at the changes, and has the robot keep them. */
export async function save(page: Page, robot: string) {
  await page.getByRole('button', { name: 'Save to robot' }).click()
  const dialog = page.getByRole('dialog')
  const text = await dialog.innerText()
  await dialog.getByRole('button', { name: 'Save to robot' }).click()
  await expect(page.getByText(`Map saved to ${robot}`)).toBeVisible()
  await expect(dialog).toBeHidden()
  return text
}
