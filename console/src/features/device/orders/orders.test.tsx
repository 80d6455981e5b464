import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toasts } from '@/shared/controls/toasts'
import { device, stage } from '@/widgets/testing/test-stage'
import { DeviceScreen } from '../list/device-screen'

const LIST = '/device/selectDevicePc'
const ROBOTS = Array.from({ length: 32 }, (_, place) => device(place + 1))
const KEYS = ['device/index', 'device_control/index', 'device_control/index/drive', 'device/group']
const outcome = (deviceId: number, result: string, reason = '') => ({
  ...{ deviceId, deviceCode: `Kestrel ${deviceId}`, floor: '1', outcome: result, reason },
})
const GROUP = {
  id: 4,
  name: 'Night',
  type: 0,
  userId: 3,
  userName: 'User',
  deviceIds: [9],
  common: '',
  updateTime: 'T',
}
const answers = {
  '/device/selectDeviceType': { list: [] },
  '/deviceGroup/selectAll': { list: [GROUP] },
  '/deviceGroup/update': {},
  '/task/nextRuns': { list: [] },
  '/user/preferences': {},
  [LIST]: ({ currentPage, pageSize }: Record<string, unknown>) => ({
    list: ROBOTS.slice((Number(currentPage) - 1) * Number(pageSize), Number(currentPage) * Number(pageSize)),
    ...{ total: 32, pageNum: 2, counts: { idle: 32 } },
  }),
}

const Screen = () => (
  <>
    <Toasts />
    <DeviceScreen />
  </>
)
const show = (more: object = {}, keys = KEYS) =>
  stage(Screen, { at: '/device/index?view=table', answers: { ...answers, ...more }, keys })
const choose = async (...ids: number[]) => {
  for (const id of ids) await userEvent.click(await screen.findByRole('checkbox', { name: `Select Kestrel ${id}` }))
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

test('chosen robots are paused at once, and those that do not pause are named with why', async () => {
  const paused = { obeyed: 1, list: [outcome(1, 'obeys'), outcome(2, 'refuses', 'task_none_running')] }
  const { of } = await show({ '/device/pauseDevices': paused })
  await choose(1, 2)
  expect(screen.getByText('2 selected')).toBeTruthy()
  await press('Pause')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Paused: 1 of 2')).toBeTruthy()
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Kestrel 2No task is running'])
  expect(of('/device/pauseDevices')[0]?.payload).toEqual({ deviceIds: [1, 2] })
})

test('all of the page are chosen by the heading, and from there all that match', async () => {
  const { of } = await show({ '/device/sendHome': { obeyed: 32, list: ROBOTS.map((_, n) => outcome(n + 1, 'obeys')) } })
  await screen.findByText('Kestrel 1')
  await waitFor(() => expect(of(LIST)).toHaveLength(2))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  expect(await screen.findByText('32 selected')).toBeTruthy()
  await press('Return to charge')
  const dialog = within(await screen.findByRole('dialog'))
  expect(of('/device/sendHome')).toHaveLength(0)
  await userEvent.click(dialog.getByRole('button', { name: 'Return to charge' }))
  expect(await dialog.findByText('On the way or charging: 32 of 32')).toBeTruthy()
})

test('robots that join a group leave it again by one press', async () => {
  const added = { added: 1, list: [{ deviceId: 2, deviceCode: 'Kestrel 2', reason: 'in_group' }] }
  const { of } = await show({ '/deviceGroup/addDevices': added })
  await choose(1, 2)
  await press('Add to group')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('combobox'))
  await userEvent.click(await screen.findByTitle('Night'))
  await userEvent.click(dialog.getByRole('button', { name: 'Add to group' }))
  expect(await dialog.findByText('Added: 1 of 2')).toBeTruthy()
  expect(dialog.getByText('Already in the group')).toBeTruthy()
  await press('Undo')
  await waitFor(() => expect(of('/deviceGroup/update')[0]?.payload).toEqual({ id: 4, deviceIds: [9] }))
})

test('offer nothing that the rights do not allow', async () => {
  await show({}, ['device/index'])
  await choose(1)
  expect(screen.getAllByRole('button', { name: /^Export/ })).toHaveLength(2) // of the list, and of those chosen
  for (const name of ['Pause', 'Return to charge', 'Add to group', 'Change owner'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('an idle robot says what its schedule starts next', async () => {
  const start = new Date(Date.now() + 3600_000).toISOString()
  await show({
    '/task/nextRuns': { list: [{ deviceId: 1, start, zone: 'UTC', schedule: 'Evening', tasks: ['Lobby'] }] },
  })
  expect(await screen.findByText(`Next ${start.slice(11, 16)} Lobby`)).toBeTruthy()
  expect(screen.getAllByText('No task').length).toBeGreaterThan(0)
})
