/** What a person's hands do on many screens: drag on a map, choose from a list or a menu, take control. */
import { expect, type Locator, type Page } from '@playwright/test'
import { ask, type Product } from './product.ts'

/** A place on a map, as parts of its width and height on the screen. */
export type Place = readonly [x: number, y: number]

/** Drags on a map that stands still. */
export async function drag(map: Locator, from: Place, to: Place) {
  await map.hover({ position: { x: 4, y: 4 } }) // waits until it is shown and stands still
  const box = await map.boundingBox()
  if (!box) throw new Error('the map is not shown')
  const at = ([x, y]: Place) => [box.x + x * box.width, box.y + y * box.height] as const
  const { mouse } = map.page()
  await mouse.move(...at(from))
  await mouse.down()
  await mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]))
  await mouse.move(...at(to))
  await mouse.up()
}

/** Chooses in a list, which may be longer than what is shown of it. */
export async function choose(select: Locator, option: string) {
  await select.click()
  if (await select.isEditable()) await select.fill(option)
  const options = select.page().locator('.ant-select-dropdown:visible .ant-select-item-option')
  await options.filter({ hasText: option }).first().click()
}

/** Chooses what a list has first, once it has anything. */
export async function chooseFirst(select: Locator) {
  await select.click()
  await select.page().locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
}

/** Opens a menu, and chooses in it. */
export async function chooseFrom(menu: Locator, item: string) {
  await menu.click()
  await menu.page().getByRole('menuitem', { name: item, exact: true }).click()
}

export async function takeControl(page: Page) {
  const free = page.getByRole('button', { name: 'Take control', exact: true })
  const controlled = page.getByText('You have control')
  await expect(free.or(controlled).first()).toBeVisible()
  if (await free.isVisible()) await free.click()
  await expect(controlled).toBeVisible()
}

/** A product that has just begun hears its robots one after the other. */
export const waitOnline = (page: Page, product: Product, deviceId: number) =>
  expect
    .poll(async () => (await ask(page, product, '/device/selectDeviceByDeviceId', { deviceId })).mode)
    .not.toBe('offline')

/** A PNG of that size, drawn by the browser. */
export async function drawPng(page: Page, width: number, height: number) {
  const bytes = await page.evaluate(
    async ([width, height]) => {
      const canvas = new OffscreenCanvas(width, height)
      const paint = canvas.getContext('2d')
      if (paint) paint.fillStyle = 'teal'
      paint?.fillRect(0, 0, width, height)
      return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())]
    },
    [width, height] as const,
  )
  return { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from(bytes) }
}
