/** Maps of a running fleet: found by building and floor, drawn on, saved to the robot, merged, and brought back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axe } from './axe.ts'
import { choose, chooseFrom, drag, type Place, takeControl } from './hands.ts'
import { CLINIC, dotsOf, element, floor, HOTEL, mapOf, openEditor, save } from './maps.ts'
import { closeAll, logIn, visitor } from './product.ts'
import { browser, product } from './stage.ts'

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
        .getByText(/^revision \d+/)
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
  const idle = page.getByText('No task is running.')
  const runs = page.getByRole('button', { name: 'Cancel task' })
  await idle.or(runs).first().waitFor()
  if (await runs.isVisible()) return
  await takeControl(page)
  await page
    .getByRole('button', { name: /^Start “/ })
    .first()
    .click()
  await runs.waitFor()
  await page.getByRole('button', { name: 'Release', exact: true }).click()
}

test('[route.device.maplist] [state.map_edit] [rule.map.edge] a map is drawn on, refused beyond its edge, saved to the robot, and brought back', async () => {
  const { context, page, faults } = await visitor(browser, product)
  await logIn(page, product, 'user', CLINIC)
  await page.getByRole('heading', { name: 'St. Orla Clinic' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Kestrel Quay Hotel' }).count(), 0)
  await page.getByRole('button', { name: 'ward 3' }).click()
  await mapOf(page, 'Orla W4-B').first().waitFor({ state: 'detached' })
  assert.deepEqual(await axe(page), [])
  await openEditor(page, FREE)
  const first = await revision(page)

  // drawn, undone, drawn again
  await draw(page, 'Virtual wall', ...WALL)
  await element(page, 'W1').waitFor()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await element(page, 'W1').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Redo' }).click()
  await element(page, 'W1').waitFor()
  await draw(page, 'Map point', ...POINT)
  await element(page, 'P1').waitFor()

  // what reaches beyond the map is said with its measure, and stays in hand until it fits
  await draw(page, 'No-go zone', ...BEYOND)
  await element(page, 'New').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Save to robot' }).isDisabled(), true)
  await page.getByText('outside', { exact: true }).waitFor()
  assert.deepEqual(await axe(page), [])
  await page.keyboard.press('f')
  await element(page, 'Z1').waitFor()
  await element(page, 'New').waitFor({ state: 'detached' })

  const summary = await save(page, FREE)
  for (const line of ['3 changes to save', 'W1', 'P1', 'Z1']) assert.ok(summary.includes(line), summary)
  assert.equal(await revision(page), first + 1)
  await page.reload() // what is shown now is what the robot told
  await element(page, 'Z1').waitFor()
  assert.equal(await revision(page), first + 1)

  // an older version is a change like any other
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByRole('button', { name: `Return to this: ${first}`, exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await element(page, 'Z1').waitFor({ state: 'detached' })
  assert.ok((await save(page, FREE)).includes('Removed'))
  await page.reload()
  await element(page, 'Waiting').waitFor()
  assert.equal(await element(page, /^[WPZ]1/).count(), 0)
  assert.equal(await revision(page), first + 2)
  assert.deepEqual(faults, [])
  await context.close()
})

test('two people draw on one map: nothing is overwritten, and what both changed is asked', async () => {
  const first = await visitor(browser, product)
  const two = await visitor(browser, product)
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
  await element(two.page, 'W1').waitFor()
  await element(two.page, 'Z1').waitFor()
  await two.page.getByRole('button', { name: 'Save to robot' }).click()
  const dialog = two.page.getByRole('dialog')
  await dialog.getByText(/is merged into your drawing/).waitFor()
  const keep = dialog.getByRole('button', { name: 'Save to robot' })
  assert.equal(await keep.isDisabled(), true) // the waiting room is two things now
  assert.deepEqual(await axe(two.page), [])
  await dialog.getByRole('button', { name: 'Take theirs' }).click()
  await keep.click()
  await two.page.getByText(`${FREE} has the changed map`).waitFor()
  await element(first.page, 'Z1').waitFor()
  for (const { page } of [first, two]) {
    await element(page, 'Supper').waitFor()
    assert.equal(await element(page, 'Breakfast').count(), 0)
  }
  assert.deepEqual([...first.faults, ...two.faults], [])
  await closeAll(first.context, two.context)
})

test('[state.map_edit.blocked_by_task] while a task runs its map is not edited, and all tasks can be stopped there', async () => {
  const { context, page, faults } = await visitor(browser, product)
  await logIn(page, product, 'user', `/control/v3/${BUSY_ID}`)
  await cleans(page)
  await page.goto(product.url + HOTEL)
  await openEditor(page, BUSY)
  await page.getByText('A task is running. Stop all tasks to edit the map?').waitFor()
  assert.equal(await page.getByRole('button', { name: 'No-go zone', exact: true }).isDisabled(), true)
  assert.deepEqual(await axe(page), [])
  await page.getByRole('button', { name: 'Stop all tasks' }).click()
  await page.getByText('A task is running. Stop all tasks to edit the map?').waitFor({ state: 'detached' })
  await draw(page, 'Virtual wall', ...WALL)
  await element(page, 'W1').waitFor()
  await save(page, BUSY)
  assert.deepEqual(faults, [])
  await context.close()
})

test("[rule.map.name] a robot's map is renamed, taken away as three files, and is not deleted while it is loaded", async () => {
  const { context, page, faults } = await visitor(browser, product)
  await logIn(page, product, 'admin', CLINIC)
  const more = dotsOf(mapOf(page, FREE))
  await chooseFrom(more, 'Name, building, floor')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Map name').fill('Third ward')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await mapOf(page, FREE).getByRole('heading', { name: 'Third ward' }).waitFor()
  await mapOf(page, FREE).getByText('Loaded').waitFor()
  for (const [form, file] of [
    [/^Whole/, 'Third ward.zip'],
    [/^Plain/, 'Third ward.zip'],
    [/^Picture/, 'Third ward.png'],
  ] as const) {
    await chooseFrom(more, 'Download')
    await dialog.getByRole('radio', { name: form }).check()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    assert.equal(download.suggestedFilename(), file)
    await dialog.waitFor({ state: 'hidden' })
  }
  await more.click()
  const remove = page.getByRole('menuitem', { name: /^Delete/ })
  await remove.getByText('This map is loaded').waitFor()
  assert.equal(await remove.getAttribute('aria-disabled'), 'true')
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(faults, [])
  await context.close()
})

test('[state.map_change] [call.relay.map.map_del] a robot changes to another of its maps, which ends its tasks; one that it does not use is deleted', async () => {
  const { context, page, faults } = await visitor(browser, product)
  await logIn(page, product, 'admin', HOTEL)
  const map = (name: string, robot = TAKER) => mapOf(page, robot).filter({ has: page.getByRole('heading', { name }) })
  const dialog = page.getByRole('dialog')
  await chooseFrom(dotsOf(map('kestrel-1', GIVER)), 'Give to a robot')
  await choose(dialog.getByRole('combobox'), TAKER)
  await dialog.getByRole('button', { name: 'Give to a robot' }).click()
  await dialog.waitFor({ state: 'hidden' })
  for (const [name, former] of [
    ['kestrel-1', 'kestrel-3'],
    ['kestrel-3', 'kestrel-1'],
  ] as const) {
    await chooseFrom(dotsOf(map(name)), 'Switch to this map')
    await dialog.getByText('Switching the map ends all tasks. Continue?').waitFor()
    await dialog.getByRole('button', { name: 'Switch map' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await map(name).getByText('Loaded').waitFor()
    await map(former).getByText('Loaded').waitFor({ state: 'detached' })
  }

  await chooseFrom(dotsOf(map('kestrel-1')), 'Delete')
  const sure = dialog.getByRole('button', { name: 'Delete' })
  assert.equal(await sure.isDisabled(), true)
  await dialog.getByRole('textbox').fill('kestrel-1')
  await sure.click()
  await dialog.waitFor({ state: 'hidden' })
  await map('kestrel-1').waitFor({ state: 'detached' })

  await page.goto(`${product.url}/control/v3/${TAKER_ID}`)
  await page.getByText('Nobody controls it').waitFor() // it was taken for that alone
  await page.getByRole('link', { name: 'Edit map' }).click()
  await page.waitForURL(/maplist\/\d+$/)
  await page.getByRole('region', { name: 'Elements' }).waitFor()
  assert.deepEqual(faults, [])
  await context.close()
})

test('a drawing outlives another tab, a reload and a log-out; nobody else is offered it', async () => {
  const { context, page, faults } = await visitor(browser, product)
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
  await changes('1 change').waitFor()
  const strip = page.getByRole('navigation', { name: 'Open pages' })
  await strip.getByRole('img', { name: 'Not saved' }).waitFor()
  assert.deepEqual(await axe(page), [])

  // another tab and back: nothing asked, nothing lost, the steps neither
  await page.getByRole('link', { name: 'Task report' }).click()
  await page.waitForURL(`${product.url}/device/report`)
  await strip.locator(`a[href="${editor}"]`).click()
  await changes('1 change').waitFor()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await changes('0 changes').waitFor()
  await page.getByRole('button', { name: 'Redo' }).click()
  await changes('1 change').waitFor()
  assert.deepEqual(dialogs, [])

  // a reload asks, and offers the drawing
  await page.reload()
  assert.deepEqual(dialogs, ['beforeunload'])
  await page.getByText(/^Your drawing of .* was not saved\.$/).waitFor()
  await changes('0 changes').waitFor()
  assert.equal(await page.getByRole('button', { name: 'No-go zone', exact: true }).isDisabled(), true)
  assert.deepEqual(await axe(page), [])
  await page.getByRole('button', { name: 'Continue drawing' }).click()
  await changes('1 change').waitFor()

  // a log-out asks; another account in this browser is offered nothing, the first one its own
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL(`${product.url}/login`)
  await logIn(page, product, 'dealer', editor)
  await floor(page).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Continue drawing' }).count(), 0)
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(`${product.url}/login`)
  await logIn(page, product, 'user', editor)
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await changes('0 changes').waitFor()
  await page.reload()
  await floor(page).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Continue drawing' }).count(), 0)
  assert.deepEqual(dialogs, ['beforeunload'])
  assert.deepEqual(faults, [])
  await context.close()
})
