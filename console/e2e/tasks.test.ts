/** Tasks and schedules: a person draws a task, plans it, skips a day, and sees what the week of a building holds. */
import type { Page } from '@playwright/test'
import { axe } from './axe.ts'
import { choose, drag } from './hands.ts'
import { logIn } from './product.ts'
import { expect, test } from './stage.ts'

const ROBOT = 'Kestrel L3-A' // stands in emergency stop: nothing that is planned here moves it
const ID = 5
const LONG_MS = 150_000 // the demo's robots make their plans after they have started

const calendar = (page: Page) => page.getByRole('table', { name: 'Schedule calendar' })
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const part = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Stored on the robot' }).getByRole('button', { name, exact: true }).click()

const block = (page: Page, ...words: readonly string[]) =>
  words.reduce((blocks, word) => blocks.filter({ hasText: word }), calendar(page).getByRole('button'))

test('[route.device.taskList] the week of a building shows its robots, what is planned, and what overlaps', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', '/device/taskList')
  await expect(rowOf(page, 'Kestrel L2-B')).toBeVisible()
  await page.getByRole('button', { name: 'Next week' }).click()
  await expect(block(page, '22:10', 'Corridor', 'Conflict').first()).toBeVisible({ timeout: LONG_MS })
  expect(await axe(page)).toEqual([])
  // two robots want one lift on Sunday night: the later one is moved, and waits for nobody
  const move = page.getByRole('button', { name: /^Move Kestrel L2-A to 22:\d\d$/ })
  const to = (await move.textContent())?.slice(-5) ?? ''
  await move.click()
  const moving = page.getByRole('dialog')
  await expect(moving.getByText('starts at 22:12 on these days: Sun')).toBeVisible()
  expect(await axe(page)).toEqual([])
  await moving.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(block(page, to, 'Lift halls on Sunday', 'Planned')).toBeVisible()
  await expect(move).toBeHidden()
  await page.getByRole('button', { name: /^Conflicts/ }).click()
  await page.waitForURL(/only=conflict/)
  await expect(block(page, 'Planned').first()).toBeHidden()
  await block(page, '22:12', 'Suites').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByText(/Overlaps with another schedule/)).toBeVisible()
  expect(await axe(page)).toEqual([])
  expect(faults).toEqual([])
})

test('[call.relay.task.task_add] [call.relay.task.timetask_save] [call.relay.task.timetask_edit] [call.relay.task.timetask_enable] a task is drawn, planned, skipped once, switched off and deleted', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', `/device/taskList?by=robot&deviceId=${ID}&part=tasks`)
  await expect(rowOf(page, ROBOT)).toBeVisible()
  await page.getByRole('button', { name: 'New task' }).click()
  const dialog = page.getByRole('dialog')
  const floor = dialog.locator('[data-floor=shown] canvas')
  const save = dialog.getByRole('button', { name: 'Save to robot' })
  await expect(dialog.getByText('Drag a rectangle')).toBeVisible()
  await drag(floor, [0.3, 0.55], [0.36, 0.6])
  await expect(dialog.getByText('Click where the robot starts')).toBeVisible()
  await drag(floor, [0.33, 0.57], [0.331, 0.57])
  await dialog.getByLabel('Task name').fill('By the door')
  await expect(dialog.getByText(/disinfectant\.$/)).toBeVisible({ timeout: LONG_MS })
  await save.click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('img', { name: 'Area of “By the door”' })).toBeVisible()
  expect(await axe(page)).toEqual([])

  await page.getByRole('button', { name: 'Schedule task', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter a name for the scheduled task')).toBeVisible()
  await expect(dialog.getByText('Choose at least one day')).toBeVisible()
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
  await expect(dialog.getByText('The next day')).toBeVisible()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/Next run of “Small hours”/)).toBeVisible()

  await page.getByRole('button', { name: 'Next week' }).click()
  const planned = block(page, '03:15', 'Small hours', 'Planned')
  const skipped = block(page, '03:15', 'Small hours', 'Skipped')
  await expect(planned.nth(6)).toBeVisible() // each day of the next week, and no longer this one's
  await planned.first().click()
  await page.getByRole('button', { name: 'Skip this run' }).click()
  await skipped.click()
  await page.getByRole('button', { name: 'Run it after all' }).click()
  await expect(skipped).toBeHidden()

  await part(page, 'Schedules')
  const own = page.getByRole('table', { name: 'Schedules' }).getByRole('row').filter({ hasText: 'Small hours' })
  await own.getByRole('switch').click()
  await expect(planned.first()).toBeHidden()
  await own.getByRole('button', { name: 'Delete: Small hours' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(own).toBeHidden()
  expect(faults).toEqual([])
})

test('[call.relay.task.hppath_save] [call.relay.task.taskgroup_add] [call.relay.task.taskgroup_set_top] a path is drawn and followed; tasks make a group', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'user', `/device/taskList?by=robot&deviceId=${ID}&part=paths`)
  await page.getByRole('button', { name: 'Draw path' }).click()
  const dialog = page.getByRole('dialog')
  await drag(dialog.locator('[data-floor=shown] canvas'), [0.3, 0.57], [0.36, 0.57])
  await dialog.getByLabel('Name', { exact: true }).fill('Along the wall')
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(rowOf(page, 'Along the wall')).toBeVisible()

  await part(page, 'Tasks')
  await page.getByRole('button', { name: 'New task' }).click()
  await dialog.getByText('Hand-drawn path').click()
  await choose(dialog.getByRole('combobox', { name: 'Hand-drawn path' }), 'Along the wall')
  await dialog.getByLabel('Task name').fill('Wall round')
  await dialog.getByRole('button', { name: 'Save to robot' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('follows “Along the wall”')).toBeVisible()

  await part(page, 'Task groups')
  await page.getByRole('button', { name: 'New task group' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Add at least one task to the group')).toBeVisible()
  await dialog.getByLabel('Name', { exact: true }).fill('Both rounds')
  await choose(dialog.getByRole('combobox', { name: 'Add task unit' }), 'Wall round')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Pin to top: Both rounds' }).click()
  expect(await axe(page)).toEqual([])

  // what moves the robot wants control, and a robot in emergency stop refuses it with its reason
  await page.getByRole('button', { name: 'Start: Both rounds' }).click()
  await expect(dialog.getByText(`${ROBOT} starts right away.`)).toBeVisible()
  expect(faults).toEqual([])
})
