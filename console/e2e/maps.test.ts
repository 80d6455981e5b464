/** Maps of a running fleet: found by building and floor, drawn on, saved to the robot, merged, and brought back. */
import type { Page } from '@playwright/test'
import { axe } from './axe.ts'
import { choose, chooseFrom, drag, type Place, takeControl } from './hands.ts'
import { CLINIC, dotsOf, element, floor, HOTEL, mapOf, openEditor, save } from './maps.ts'
import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

const FREE = 'Orla W3-B' // stands in its dock, and has no task of its own
const BUSY = 'Kestrel L2-B' // cleans when the demo begins, for some minutes
const BUSY_ID = 4
const GIVER = 'Kestrel L1-A'
const TAKER = 'Kestrel L3-A' // gets another floor's map; its own tasks are on its own
const TAKER_ID = 5
// places in that ward, as parts of the view
const WALL = [
  [0.245, 0.728],
  [0.34, 0.728],
] as const
const POINT = [
  [0.666, 0.73],
  [0.69, 0.73],
] as const
const ZONE = [
  [0.245, 0.572],
  [0.35, 0.6],
] as const
const BEYOND = [
  [0.76, 0.75],
  [0.985, 0.97],
] as const

const revision = async (page: Page) =>
  Number(
    (
      await page
        .getByText(/^Version \d+/)
        .filter({ visible: true }) // a list that is kept behind the editor has versions, too
        .first()
        .innerText()
    ).split(' ')[1],
  )

/** Puts a tool into the hand and drags it from one part of the view to another. */
async function draw(page: Page, tool: string, from: Place, to: Place) {
  await page.getByRole('button', { name: tool, exact: true }).click()
  await drag(floor(page), from, to)
}

/** Starts a task, unless one runs still. */
async function cleans(page: Page) {
  const idle = page.getByText('No task running.')
  const runs = page.getByRole('button', { name: 'End task' })
  await expect(idle.or(runs).first()).toBeVisible()
  if (await runs.isVisible()) return
  await takeControl(page) // from now on the demo starts nothing by itself
  const start = page.getByRole('button', { name: /^Start “/ }).first()
  const anyway = page.getByRole('tooltip').getByRole('button', { name: 'Start task' }) // the floor may still be wet
  await expect(async () => {
    if ((await idle.isVisible()) && !(await anyway.isVisible())) await start.click() // what the demo began may have been ending
    await expect(runs.or(anyway)).toBeVisible({ timeout: 10_000 })
    if (await anyway.isVisible()) await anyway.click()
    await expect(runs).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await page.getByRole('button', { name: 'Release control', exact: true }).click()
}

test('[route.device.maplist] [state.map_edit] [state.map_edit.t05] [feat.area.maps] [rule.map.edge] [err.text.beyond_edge] a map is drawn on, refused beyond its edge, saved to the robot, and brought back', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', CLINIC)
  await expect(page.getByRole('heading', { name: 'St. Orla Clinic' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Kestrel Quay Hotel' })).toHaveCount(0)
  await page.getByRole('button', { name: 'ward 3' }).click()
  await expect(mapOf(page, 'Orla W4-B').first()).toBeHidden()
  expect(await axe(page)).toEqual([])
  await openEditor(page, FREE)
  const first = await revision(page)

  // drawn, undone, drawn again
  await draw(page, 'Virtual wall', ...WALL)
  await expect(element(page, 'W1')).toBeVisible()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(element(page, 'W1')).toBeHidden()
  await page.getByRole('button', { name: 'Redo' }).click()
  await expect(element(page, 'W1')).toBeVisible()
  await draw(page, 'Map point', ...POINT)
  await expect(element(page, 'P1')).toBeVisible()

  // what reaches beyond the map is said with its measure, and stays in hand until it fits
  await draw(page, 'No-go zone', ...BEYOND)
  await expect(element(page, 'New')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save to robot' })).toBeDisabled()
  await expect(page.getByText('outside', { exact: true })).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('f')
  await expect(element(page, 'Z1')).toBeVisible()
  await expect(element(page, 'New')).toBeHidden()

  const summary = await save(page, FREE)
  for (const line of ['Save 3 changes', 'W1', 'P1', 'Z1']) expect(summary).toContain(line)
  expect(await revision(page)).toBe(first + 1)
  await page.reload() // what is shown now is what the robot told
  await expect(element(page, 'Z1')).toBeVisible()
  expect(await revision(page)).toBe(first + 1)

  // an older version is a change like any other
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByRole('button', { name: `Restore this version: ${first}`, exact: true }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(element(page, 'Z1')).toBeHidden()
  expect(await save(page, FREE)).toContain('Removed')
  await page.reload()
  await expect(element(page, 'Waiting')).toBeVisible()
  await expect(element(page, /^[WPZ]1/)).toHaveCount(0)
  expect(await revision(page)).toBe(first + 2)
  expect(faults).toEqual([])
})

test('two people draw on one map: nothing is overwritten, and what both changed is asked', async ({
  product,
  visit,
}) => {
  const first = await visit()
  const two = await visit()
  for (const [{ page }, account] of [
    [first, 'user'],
    [two, 'dealer'],
  ] as const) {
    await logIn(page, product, account, CLINIC)
    await openEditor(page, FREE)
    await page.getByRole('button', { name: 'Select and move', exact: true }).click()
  }
  await draw(first.page, 'Virtual wall', ...WALL)
  await draw(two.page, 'No-go zone', ...ZONE)
  await element(two.page, 'Waiting').getByRole('button').click()
  await two.page.getByLabel('Name', { exact: true }).fill('Breakfast')
  await two.page.keyboard.press('Enter')
  await element(first.page, 'Waiting').getByRole('button').click()
  await first.page.getByLabel('Name', { exact: true }).fill('Supper')
  await first.page.keyboard.press('Enter')
  await save(first.page, FREE)

  // the other's drawing comes by itself, and stands beside one's own
  await expect(element(two.page, 'W1')).toBeVisible()
  await expect(element(two.page, 'Z1')).toBeVisible()
  await two.page.getByRole('button', { name: 'Save to robot' }).click()
  const dialog = two.page.getByRole('dialog')
  await expect(dialog.getByText(/was merged into your drawing/)).toBeVisible()
  const keep = dialog.getByRole('button', { name: 'Save to robot' })
  await expect(keep).toBeDisabled() // the waiting room is two things now
  expect(await axe(two.page)).toEqual([])
  await dialog.getByRole('button', { name: 'Use theirs' }).click()
  await keep.click()
  await expect(two.page.getByText(`Map saved to ${FREE}`)).toBeVisible()
  await expect(element(first.page, 'Z1')).toBeVisible()
  for (const { page } of [first, two]) {
    await expect(element(page, 'Supper')).toBeVisible()
    await expect(element(page, 'Breakfast')).toHaveCount(0)
  }
  expect([...first.faults, ...two.faults]).toEqual([])
})

test('[state.map_edit.blocked_by_task] while a task runs its map is not edited, and all tasks can be stopped there', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', HOTEL)
  await expect(async () => {
    await page.goto(`${product.url}/control/v3/${BUSY_ID}`)
    await cleans(page)
    await page.goto(product.url + HOTEL)
    await openEditor(page, BUSY)
    await expect(page.getByText('A task is running. End all tasks to edit the map?')).toBeVisible({ timeout: 10_000 })
  }).toPass() // what ran may have ended meanwhile
  await expect(page.getByRole('button', { name: 'No-go zone', exact: true })).toBeDisabled()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'End all tasks' }).click()
  await expect(page.getByText('A task is running. End all tasks to edit the map?')).toBeHidden()
  await draw(page, 'Virtual wall', ...WALL)
  await expect(element(page, 'W1')).toBeVisible()
  await save(page, BUSY)
  expect(faults).toEqual([])
})

test("[rule.map.name] a robot's map is renamed, taken away as three files, and is not deleted while it is loaded", async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin', CLINIC)
  const more = dotsOf(mapOf(page, FREE))
  await chooseFrom(more, 'Name, building and floor')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Map name').fill('Third ward')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(mapOf(page, FREE, 'Third ward')).toBeVisible()
  await expect(mapOf(page, FREE).getByText('In use')).toBeVisible()
  for (const [form, file] of [
    [/^Complete/, 'Third ward.zip'],
    [/^Map image only/, 'Third ward.zip'],
    [/^Picture/, 'Third ward.png'],
  ] as const) {
    await chooseFrom(more, 'Download')
    await dialog.getByRole('radio', { name: form }).check()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(file)
    await expect(dialog).toBeHidden()
  }
  await more.click()
  const remove = page.getByRole('menuitem', { name: /^Delete This map/ })
  await expect(remove.getByText('This map is in use')).toBeVisible()
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  expect(await axe(page)).toEqual([])
  expect(faults).toEqual([])
})

test('[state.map_change] [call.relay.map.map_del] a robot changes to another of its maps, which ends its tasks; one that it does not use is deleted', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin', HOTEL)
  const map = (name: string, robot = TAKER) => mapOf(page, robot, name)
  const dialog = page.getByRole('dialog')
  await chooseFrom(dotsOf(map('kestrel-1', GIVER)), 'Send to a robot')
  await choose(dialog.getByRole('combobox'), TAKER)
  await dialog.getByRole('button', { name: 'Send to a robot' }).click()
  await expect(dialog).toBeHidden()
  for (const [name, former] of [
    ['kestrel-1', 'kestrel-3'],
    ['kestrel-3', 'kestrel-1'],
  ] as const) {
    await chooseFrom(dotsOf(map(name)), 'Switch to this map')
    await expect(dialog.getByText('Switching the map ends all tasks. Continue?')).toBeVisible()
    await dialog.getByRole('button', { name: 'Switch map' }).click()
    await expect(dialog).toBeHidden()
    await expect(map(name).getByText('In use')).toBeVisible()
    await expect(map(former).getByText('In use')).toBeHidden()
  }

  await chooseFrom(dotsOf(map('kestrel-1')), 'Delete')
  const sure = dialog.getByRole('button', { name: 'Delete' })
  await expect(sure).toBeDisabled()
  await dialog.getByRole('textbox').fill('kestrel-1')
  await sure.click()
  await expect(dialog).toBeHidden()
  await expect(map('kestrel-1')).toBeHidden()

  await page.goto(`${product.url}/control/v3/${TAKER_ID}`)
  await expect(page.getByText('No one has control')).toBeVisible() // it was taken for that alone
  await page.getByRole('link', { name: 'Edit map' }).click()
  await page.waitForURL(/maplist\/\d+$/)
  await expect(page.getByRole('region', { name: 'Elements' })).toBeVisible()
  expect(faults).toEqual([])
})

test('a drawing outlives another tab, a reload and a log-out; nobody else is offered it', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    void dialog.accept()
  })
  await logIn(page, product, 'user', CLINIC)
  await openEditor(page, FREE)
  const editor = new URL(page.url()).pathname
  const changes = (words: string) => page.getByRole('button', { name: words, exact: true })
  await draw(page, 'No-go zone', ...ZONE)
  await expect(changes('1 change')).toBeVisible()
  const strip = page.getByRole('navigation', { name: 'Open pages' })
  await expect(strip.getByRole('img', { name: 'Not saved' })).toBeVisible()
  expect(await axe(page)).toEqual([])

  // another tab and back: nothing asked, nothing lost, the steps neither
  await page.getByRole('link', { name: 'Task reports' }).click()
  await page.waitForURL(`${product.url}/device/report`)
  await strip.locator(`a[href="${editor}"]`).click()
  await expect(changes('1 change')).toBeVisible()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(changes('0 changes')).toBeVisible()
  await page.getByRole('button', { name: 'Redo' }).click()
  await expect(changes('1 change')).toBeVisible()
  expect(dialogs).toEqual([])

  // a reload asks, and offers the drawing
  await page.reload()
  expect(dialogs).toEqual(['beforeunload'])
  await expect(page.getByText(/^Your drawing from .* was not saved\.$/)).toBeVisible()
  await expect(changes('0 changes')).toBeVisible()
  await expect(page.getByRole('button', { name: 'No-go zone', exact: true })).toBeDisabled()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue drawing' }).click()
  await expect(changes('1 change')).toBeVisible()

  // a log-out asks; another account in this browser is offered nothing, the first one its own
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL(`${product.url}/login`)
  await logIn(page, product, 'dealer', editor)
  await expect(floor(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue drawing' })).toHaveCount(0)
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(`${product.url}/login`)
  await logIn(page, product, 'user', editor)
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(changes('0 changes')).toBeVisible()
  await page.reload()
  await expect(floor(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue drawing' })).toHaveCount(0)
  expect(dialogs).toEqual(['beforeunload'])
  expect(faults).toEqual([])
})
