/** Maps between robots and files: zones out of a mask, a map sent to other robots, a new one begun from the list. */
import { axe } from './axe.ts'
import { choose, chooseFrom, takeControl } from './hands.ts'
import { CLINIC, dotsOf, element, mapOf, openEditor, save } from './maps.ts'
import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

const GIVER = 'Orla W3-B' // stands in its dock, and has no task of its own
const TAKERS = ['Kestrel L1-B', 'Kestrel L2-A'] as const // of another building: nothing of theirs is replaced
const AWAY = 'Orla W4-A'
const BUILDER = 'Jade Gate M-03' // charges in a mall where no other journey goes; its customer keeps support out
const ZONE = /^Z\d/

/** A mask of 0.5 m cells in that ward's west store, as map_server keeps it: 0 is occupied. */
const mask = (cells: string) => ({
  name: 'keepout.pgm',
  mimeType: 'image/x-portable-graymap',
  buffer: Buffer.from(`P2 6 2 255 ${cells.repeat(2)}`),
})
const EMPTY = mask('255 255 255 255 255 255 ')
const SQUARES = mask('0 0 255 255 0 0 ') // two of one metre
const WHERE = {
  name: 'keepout.yaml',
  mimeType: 'application/yaml',
  buffer: Buffer.from(
    'image: keepout.pgm\nresolution: 0.5\norigin: [9.0, 1.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n',
  ),
}

test('[feat.area.maps] [state.map_edit.edit] [state.map_sync.receive_success] [state.map_sync.idle] a mask becomes no-go zones, and the map with them goes to other robots', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', CLINIC)
  await openEditor(page, GIVER)
  await expect(element(page, 'Stores west')).toBeVisible()
  const before = await element(page, ZONE).count()
  const dialog = page.getByRole('dialog')
  const draw = dialog.getByRole('button', { name: 'Draw' })
  await page.getByRole('button', { name: 'No-go zones from a mask file' }).click()
  const file = dialog.locator('input[type=file]')
  await file.setInputFiles([EMPTY])
  await expect(dialog.getByText('The yaml file is missing')).toBeVisible() // a picture alone says not where it is
  await expect(draw).toBeDisabled()
  await file.setInputFiles([WHERE])
  await draw.click()
  await expect(dialog.getByText('The mask has no occupied parts')).toBeVisible()
  expect(await axe(page)).toEqual([])
  await file.setInputFiles([SQUARES, WHERE])
  await draw.click()
  await expect(page.getByText('2 no-go zones drawn')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(element(page, ZONE).nth(before + 1)).toBeVisible()
  await page.getByRole('button', { name: /^Undo/ }).click() // both are one step
  await expect(
    page
      .getByText(/^Version \d+/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible()
  await expect(element(page, ZONE)).toHaveCount(before)
  await page.getByRole('button', { name: 'Redo' }).click()
  expect(await save(page, GIVER)).toContain('Save 2 changes')

  await page.goto(product.url + CLINIC)
  const name = (await mapOf(page, GIVER).getAttribute('data-map')) ?? ''
  await chooseFrom(dotsOf(mapOf(page, GIVER)), 'Send to several robots')
  for (const robot of [...TAKERS, AWAY]) await dialog.getByRole('checkbox', { name: robot }).check()
  await dialog.getByRole('button', { name: 'Send to 3 robots' }).click()
  const line = (robot: string) =>
    dialog.getByRole('region', { name: 'Progress' }).getByRole('listitem').filter({ hasText: robot })
  await expect(line(AWAY).getByText('Waiting for the robot to come online')).toBeVisible()
  for (const robot of TAKERS) await expect(line(robot).getByText('Map received')).toBeVisible()
  const has = dialog
    .getByRole('group', { name: 'Target robots' })
    .getByRole('listitem')
    .filter({ hasText: 'is up to date' })
  for (const robot of TAKERS) await expect(has.filter({ hasText: robot })).toBeVisible()
  await line(AWAY)
    .getByRole('button', { name: `Cancel: ${AWAY}` })
    .click()
  await expect(line(AWAY).getByText('Cancelled')).toBeVisible()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await page.goto(`${product.url}/device/maplist?text=${encodeURIComponent(name)}`)
  for (const robot of TAKERS) await expect(mapOf(page, robot, name)).toBeVisible()
  expect(faults).toEqual([])
})

test('[call.relay.map.draw_new_map] [call.relay.map.map_save] a new map begins in the list, is built at the robot, and stands in the list', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'rivaluser', '/device/maplist')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Build a new map' }).click()
  await choose(dialog.getByRole('combobox'), BUILDER)
  await dialog.getByRole('button', { name: 'Open control page' }).click()
  await page.waitForURL(/\/control\/v3\/\d+\?build=1$/)
  await takeControl(page)
  await dialog.getByLabel('Map name').fill('Market day') // it was asked for in the list
  await dialog.getByRole('button', { name: 'Build a new map' }).click()
  await expect(page.getByLabel(/Live map of .*Market day/)).toBeVisible()
  await page.getByRole('button', { name: 'Save map' }).click()
  await expect(page.getByText('Map building', { exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Release control', exact: true }).click()
  await page.goto(`${product.url}/device/maplist?text=Market+day`)
  await expect(mapOf(page, BUILDER).getByText('In use')).toBeVisible()
  expect(faults).toEqual([])
})
