/** A log of a running robot: listed, uploaded on request, downloaded, and its copy deleted; in Chromium against the whole product. */
import { axe } from '../axe.ts'
import { choose } from '../hands.ts'
import { ask, logIn } from '../product.ts'
import { expect, test } from '../stage.ts'

const ROBOT = 'SC0001' // of the customer whose support access the demo has open

test('[route.device.log] [perm.page.device.log] a log of a robot is uploaded, downloaded, and its copy deleted', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin', '/device/log')
  const row = page.getByRole('row').filter({ hasText: ROBOT })
  await row.getByRole('button', { name: /^Upload: robot-/ }).click()
  await expect(row).toContainText('Synchronised')
  expect(await axe(page)).toEqual([])

  await row.getByRole('button', { name: /^Show lines: / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Search the lines' }).fill('status')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(/INFO status battery=/).first()).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Escape')

  const download = page.waitForEvent('download')
  await row.getByRole('button', { name: /^Download robot-/ }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^robot-\d{4}-\d{2}-\d{2}-\d{3}\.log$/)

  await row.getByRole('button', { name: /^Delete copy: / }).click()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Delete copy' }).click()
  await expect(dialog).toBeHidden()
  await expect(row.getByRole('button', { name: /^Delete copy: / })).toBeHidden()

  await page.getByText('Navigation log').click()
  await expect(page.getByText('Choose a robot to see its files')).toBeVisible()
  await choose(page.getByRole('combobox', { name: 'Robot' }), ROBOT)
  await expect(page.getByText('Choose a robot to see its files')).toBeHidden()
  await expect(page).toHaveURL(/kind=navlog/)
  expect(faults).toEqual([])
})

test('[call.relay.task.bag_record_trigger] a recording made on request is played by a shared address', async ({
  product,
  visit,
}) => {
  const { page, faults } = await visit()
  await logIn(page, product, 'admin', '/device/log?kind=rosbag')
  await choose(page.getByRole('combobox', { name: 'Robot' }), ROBOT)
  await expect(page).toHaveURL(/device=\d+/)
  const deviceId = Number(new URL(page.url()).searchParams.get('device'))
  let name = ''
  await expect(async () => {
    const { url, port, grant } = await ask(page, product, '/device/relayGrant', { deviceId })
    const command = `${url}/?m=api1/bag_record_trigger&p=${port}`
    const begun = await page.request.post(command, { headers: { grant }, data: { seconds: 1 } })
    name = (await begun.json()).name
    expect(name).toBeTruthy()
  }, 'the robot has its tunnel').toPass()

  const row = page.getByRole('row').filter({ hasText: name }) // the server fetches it by itself
  await row.getByRole('button', { name: `Open recording: ${name}` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row', { name: /\/odom nav_msgs\/Odometry/ })).toBeVisible()
  await expect(page).toHaveURL(/recording=\d+/)

  const address = new URL(page.url())
  address.searchParams.set('second', '0.5')
  address.searchParams.append('value', '/odom pose.pose.position.x')
  await page.goto(address.href)
  await expect(dialog.getByText('/odom pose.pose.position.x')).toBeVisible()
  const slider = dialog.getByRole('slider')
  await slider.press('ArrowRight')
  await expect(page).toHaveURL(/second=0\.6/)
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).not.toHaveURL(/recording=/)
  expect(faults).toEqual([])
})
