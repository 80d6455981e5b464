/** Tasks and schedules: a person draws a task, plans it, skips a day, and sees what the week of a building holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axe } from './axe.ts'
import { choose, drag } from './hands.ts'
import { logIn, visitor } from './product.ts'
import { browser, product } from './stage.ts'

const ROBOT = 'Kestrel L3-A' // stands in emergency stop: nothing that is planned here moves it
const ID = 5
const LONG_MS = 150_000 // the demo's robots make their plans after they have started

const calendar = (page: Page) => page.getByRole('table', { name: 'Calendar of schedules' })
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const part = (page: Page, name: string) =>
  page.getByRole('group', { name: 'What the robot keeps' }).getByRole('button', { name, exact: true }).click()

const block = (page: Page, ...words: readonly string[]) =>
  words.reduce((blocks, word) => blocks.filter({ hasText: word }), calendar(page).getByRole('button'))

test('[route.device.taskList] the week of a building shows its robots, what is planned, and what overlaps', async () => {
  const { context, page, faults } = await visitor(browser, product)
  await logIn(page, product, 'user', '/device/taskList')
  await rowOf(page, 'Kestrel L2-B').waitFor()
  await page.getByRole('button', { name: 'Week after' }).click()
  await block(page, '22:10', 'Corridor', 'Conflict').first().waitFor({ timeout: LONG_MS })
  assert.deepEqual(await axe(page), [])
  // two robots want one lift on Sunday night: the later one is moved, and waits for nobody
  const move = page.getByRole('button', { name: /^Move Kestrel L2-A to 22:\d\d$/ })
  const to = (await move.textContent())?.slice(-5) ?? ''
  await move.click()
  const moving = page.getByRole('dialog')
  await moving.getByText('begins at 22:12 on these days: Sun').waitFor()
  assert.deepEqual(await axe(page), [])
  await moving.getByRole('button', { name: 'Move', exact: true }).click()
  await block(page, to, 'Lift halls on Sunday', 'Planned').waitFor()
  await move.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Conflicts/ }).click()
  await page.waitForURL(/only=conflict/)
  await block(page, 'Planned').first().waitFor({ state: 'detached' })
  await block(page, '22:12', 'Suites').focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByText(/It overlaps with another schedule/)
    .waitFor()
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(faults, [])
  await context.close()
})

test('[call.relay.task.task_add] [call.relay.task.timetask_save] [call.relay.task.timetask_edit] [call.relay.task.timetask_enable] a task is drawn, planned, skipped once, switched off and deleted', async () => {
  const { context, page, faults } = await visitor(browser, product)
  await logIn(page, product, 'user', `/device/taskList?by=robot&deviceId=${ID}&part=tasks`)
  await rowOf(page, ROBOT).waitFor()
  await page.getByRole('button', { name: 'New task' }).click()
  const dialog = page.getByRole('dialog')
  const floor = dialog.locator('[data-floor=shown] canvas')
  const save = dialog.getByRole('button', { name: 'Save to the robot' })
  await dialog.getByText('Drag a rectangle').waitFor()
  await drag(floor, [0.3, 0.55], [0.36, 0.6])
  await dialog.getByText('Press where the robot begins').waitFor()
  await drag(floor, [0.33, 0.57], [0.331, 0.57])
  await dialog.getByLabel('Task name').fill('By the door')
  await dialog.getByText(/disinfectant\.$/).waitFor({ timeout: LONG_MS })
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('img', { name: 'Area of “By the door”' }).waitFor()
  assert.deepEqual(await axe(page), [])

  await page.getByRole('button', { name: 'Schedule a task' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The scheduled task needs a name').waitFor()
  await dialog.getByText('Choose at least one day').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Small hours')
  await choose(dialog.getByRole('combobox', { name: 'Map', exact: true }), 'kestrel-3')
  await choose(dialog.getByRole('combobox', { name: 'Tasks', exact: true }), 'By the door')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Every day' }).click()
  await dialog.getByLabel('Start time').fill('03:15')
  await page.keyboard.press('Enter')
  await dialog.getByRole('switch', { name: 'Forced end' }).click()
  await dialog.getByLabel('Forced end time').fill('02:00')
  await page.keyboard.press('Enter')
  await dialog.getByText('On the next day').waitFor()
  assert.deepEqual(await axe(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText(/“Small hours” runs next on/).waitFor()

  await page.getByRole('button', { name: 'Week after' }).click()
  const planned = block(page, '03:15', 'Small hours', 'Planned')
  const skipped = block(page, '03:15', 'Small hours', 'Skipped')
  await planned.nth(6).waitFor() // each day of the next week, and no longer this one's
  await planned.first().click()
  await page.getByRole('button', { name: 'Skip this occurrence' }).click()
  await skipped.click()
  await page.getByRole('button', { name: 'Do not skip it' }).click()
  await skipped.waitFor({ state: 'detached' })

  await part(page, 'Schedules')
  const own = page.getByRole('table', { name: 'Schedules' }).getByRole('row').filter({ hasText: 'Small hours' })
  await own.getByRole('switch').click()
  await planned.first().waitFor({ state: 'detached' })
  await own.getByRole('button', { name: 'Delete: Small hours' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await own.waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
  await context.close()
})

test('[call.relay.task.hppath_save] [call.relay.task.taskgroup_add] [call.relay.task.taskgroup_set_top] a path is drawn and followed; tasks make a group', async () => {
  const { context, page, faults } = await visitor(browser, product)
  await logIn(page, product, 'user', `/device/taskList?by=robot&deviceId=${ID}&part=paths`)
  await page.getByRole('button', { name: 'Draw a path' }).click()
  const dialog = page.getByRole('dialog')
  await drag(dialog.locator('[data-floor=shown] canvas'), [0.3, 0.57], [0.36, 0.57])
  await dialog.getByLabel('Name', { exact: true }).fill('Along the wall')
  assert.deepEqual(await axe(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await rowOf(page, 'Along the wall').waitFor()

  await part(page, 'Tasks')
  await page.getByRole('button', { name: 'New task' }).click()
  await dialog.getByText('A hand-drawn path').click()
  await choose(dialog.getByRole('combobox', { name: 'A hand-drawn path' }), 'Along the wall')
  await dialog.getByLabel('Task name').fill('Wall round')
  await dialog.getByRole('button', { name: 'Save to the robot' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('follows “Along the wall”').waitFor()

  await part(page, 'Task groups')
  await page.getByRole('button', { name: 'New task group' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The task group needs a task').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Both rounds')
  await choose(dialog.getByRole('combobox', { name: 'Add a task unit' }), 'Wall round')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Pin to top: Both rounds' }).click()
  assert.deepEqual(await axe(page), [])

  // what moves the robot wants control, and a robot in emergency stop refuses it with its reason
  await page.getByRole('button', { name: 'Start: Both rounds' }).click()
  await dialog.getByText(`${ROBOT} begins at once.`).waitFor()
  assert.deepEqual(faults, [])
  await context.close()
})
