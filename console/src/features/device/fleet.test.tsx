import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setPreference } from '@/shared/theme/preferences'
import { connectLive } from '@/widgets/testing/test-live'
import { device, stage } from '@/widgets/testing/test-stage'
import { InfoScreen } from './info/info-screen'
import { DeviceScreen } from './list/device-screen'

const ROBOT = device(1, {
  ...{ updateTime: 'T1', rackNumber: 'SC0001', simNo: '', simSupport: null, area: 'GB', province: '', zone: 'UTC' },
  ...{ latitude: 51.5, longitude: -0.1, frpHost: '', frpPort: 20001, sshPort: null, webPort: null, liquid: 40 },
  ...{ ownerUserId: 3, customerName: 'Quay', customerAddress: '', elevatorId: null, speed: 0, mapName: 'Ground' },
  ...{ soft_version: '2.4', firmware_version: '', pad_version: '', createTime: '2026-01-01T00:00:00Z', bootTime: null },
  abilities: ['clean'],
})
const AROUND = {
  '/task/nextRuns': { list: [] },
  '/device/selectDeviceType': { list: [] },
  '/deviceGroup/selectAll': { list: [] },
  '/device/selectOwnUser': { list: [{ userId: 4, name: 'Sub', levelDepth: 4, childs: [] }] },
  '/device/selectDevicePc': { list: [ROBOT, device(2)], total: 2, pageNum: 1, counts: { idle: 2 } },
  '/user/preferences': {},
}
const WORK = {
  workArea: 1234,
  workTime: '12:03:04',
  workSeconds: 43384,
  workCount: 7,
  since: '2026-01-01T00:00:00Z',
  reason: '',
}
const PAST = {
  owners: [{ at: '2026-02-01T00:00:00Z', fromName: null, toName: 'User', things: 'keep', erasing: true }],
  resets: [{ at: '2026-03-01T00:00:00Z', reason: 'Sold', area: 5, seconds: 60, count: 1, by: 'User' }],
}
const INFO = {
  '/device/selectDeviceByDeviceId': ROBOT,
  '/device/selectWorkInfoById': WORK,
  '/device/selectHistory': PAST,
  '/device/workInfoResetById': {},
  '/device/selectRefusal': { time: null, kind: null, reference: '', field: '', reason: null },
}
const KEYS = ['index', 'device/index', 'device/info']

beforeEach(() => {
  sessionStorage.clear()
  setPreference('deviceColumns', undefined)
  setPreference('deviceViews', undefined)
})
afterEach(() => vi.unstubAllGlobals())

const list = (keys = KEYS, at = '/device/index?view=table') => stage(DeviceScreen, { at, answers: AROUND, keys })

test('[route.device.index] a column that is chosen stands in the table, one that is not does not', async () => {
  await list()
  await userEvent.click(await screen.findByRole('button', { name: 'Columns' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Customer' }))
  expect(await screen.findByRole('columnheader', { name: 'Customer' })).toBeTruthy()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Serial number' }))
  expect(screen.queryByRole('columnheader', { name: 'Serial number' })).toBeNull()
})

test('[route.device.index] a saved view keeps the filters under its name, in the URL too', async () => {
  const { router } = await list(KEYS, '/device/index?view=table&text=quay')
  await userEvent.click(await screen.findByRole('button', { name: 'Saved views' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'View name' }), 'Mine{Enter}')
  await waitFor(() => expect(router.state.location.search).toContain('saved=Mine'))
  expect(router.state.location.search).toContain('text=quay')
})

test('[route.device.index] transfer chosen robots together, and say what becomes of their data', async () => {
  await list([...KEYS, 'device/index/edit_owner'])
  for (const robot of ['Kestrel 1', 'Kestrel 2'])
    await userEvent.click(await screen.findByRole('checkbox', { name: `Select ${robot}` }))
  await userEvent.click(await screen.findByRole('button', { name: 'Change owner' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getAllByRole('radio')).toHaveLength(3)
  expect(within(dialog).getByRole('button', { name: 'Transfer to the new owner' })).toHaveProperty('disabled', true)
})

test('[route.device.index] a heading asks the server for its order, and the third press gives the order of need back', async () => {
  const { of, router } = await list()
  const heading = await screen.findByRole('columnheader', { name: 'Name' })
  const press = () => userEvent.click(within(heading).getByRole('button'))
  const latest = () => of('/device/selectDevicePc').at(-1)?.payload
  expect(screen.getByText('sorted by urgency')).toBeTruthy()
  await press()
  await press()
  await waitFor(() => expect(latest()).toMatchObject({ sort: 'name', descending: true, pageSize: 30 }))
  expect(heading.getAttribute('aria-sort')).toBe('descending')
  expect(router.state.location.search).toBe('?view=table&sort=-name')
  expect(screen.queryByText('sorted by urgency')).toBeNull()
  await press()
  await waitFor(() => expect(screen.queryByText('sorted by urgency')).toBeTruthy())
  expect(latest()).not.toHaveProperty('sort')
})

test('[route.device.index] arrows go from robot to robot, and Enter opens one', async () => {
  const { router } = await list()
  await screen.findByText('Kestrel 1')
  screen.getAllByRole('row')[1]?.focus()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(router.state.location.pathname + router.state.location.search).toBe('/device/info?deviceId=2')
})

test('[route.device.info] show all data of a robot, and hide what it lacks', async () => {
  await stage(InfoScreen, { at: '/device/info?deviceId=1', answers: INFO, keys: KEYS })
  expect(await screen.findByText('12:03:04')).toBeTruthy()
  expect(screen.getByText('51.50000, -0.10000')).toBeTruthy()
  expect(screen.getAllByText('Idle')).toHaveLength(2)
  expect(await screen.findByText(/not erased from the robot yet/)).toBeTruthy()
  expect(screen.queryByText('Disinfectant')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Reset' })).toBeNull()
})

test('[route.device.info] [call.device.updateDevicesAddressByLbs] locate a robot on request, and say where that is not possible', async () => {
  const path = '/device/updateDevicesAddressByLbs'
  let known = true
  const answers = {
    ...INFO,
    [path]: () =>
      known
        ? { address: 'Quay', latitude: 51.5, longitude: -0.1 }
        : Response.json({ message: { code: 40053, message: 'Location unknown' }, data: null }),
  }
  await stage(InfoScreen, { at: '/device/info?deviceId=1', answers, keys: KEYS })
  await screen.findByText('51.50000, -0.10000')
  expect(screen.queryByRole('button', { name: 'Find location' })).toBeNull()
  cleanup()
  const { of } = await stage(InfoScreen, {
    at: '/device/info?deviceId=1',
    answers,
    keys: [...KEYS, 'device/index/edit'],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Find location' }))
  await waitFor(() => expect(of(path).map(({ payload }) => payload)).toEqual([{ deviceSerialNumber: 'SC0001' }]))
  known = false
  await userEvent.click(await screen.findByRole('button', { name: /Find location$/ }))
  expect((await screen.findByRole('alert')).textContent).toBe('Location unknown')
})

test('[route.device.info] [call.device.getSimInfo] the provider is asked for a SIM card by a press, and says when it is not set', async () => {
  const card = { cNo: '89860', simSupport: 3, status: 'active', usedMb: 12.5, totalMb: 500, expireDate: '2027-01-31' }
  let set = true
  const refused = {
    message: { code: 40052, message: 'No access to the SIM provider SimBoss is configured' },
    data: null,
  }
  const answers = {
    ...INFO,
    '/device/selectDeviceByDeviceId': { ...ROBOT, simNo: '89860', simSupport: 3, traffic: 20_300 },
    '/device/getSimInfo': () => (set ? card : Response.json(refused)),
  }
  const { of } = await stage(InfoScreen, { at: '/device/info?deviceId=1', answers, keys: KEYS })
  const ask = await screen.findByRole('button', { name: 'SIM data' })
  expect(screen.getByText('20300')).toBeTruthy()
  expect(of('/device/getSimInfo')).toEqual([])
  await userEvent.click(ask)
  expect(await screen.findByText('2027-01-31')).toBeTruthy()
  expect(screen.getByText('active')).toBeTruthy()
  cleanup()
  set = false
  await stage(InfoScreen, { at: '/device/info?deviceId=1', answers, keys: KEYS })
  await userEvent.click(await screen.findByRole('button', { name: 'SIM data' }))
  expect(await screen.findByText(/SIM provider SimBoss/)).toBeTruthy()
})

test('[route.device.info] [q.device_modes] a robot that cleans says what with', async () => {
  const cleans = { ...ROBOT, mode: 'cleaning', cleanMode: 'carpet', run: 'r1', online: true }
  const answers = { ...INFO, '/device/selectDeviceByDeviceId': cleans }
  await stage(InfoScreen, { at: '/device/info?deviceId=1', answers, keys: KEYS })
  expect(await screen.findAllByText('Cleaning · Carpet')).toHaveLength(2)
})

test('[route.device.info] a mode that is not listed is shown in the robot’s own word, and what was not stored with its reason', async () => {
  const answers = {
    ...INFO,
    '/device/selectDeviceByDeviceId': { ...ROBOT, modeName: 'polishing' },
    '/device/selectRefusal': {
      ...{ time: '2026-03-01T00:00:00Z', kind: 'state', reference: '5', field: 'battery', reason: 'out_of_range' },
    },
  }
  await stage(InfoScreen, { at: '/device/info?deviceId=1', answers, keys: KEYS })
  expect(await screen.findAllByText('polishing')).toHaveLength(2)
  expect(screen.queryByText('Idle')).toBeNull()
  const refusal = (await screen.findByText('Last not stored')).nextElementSibling
  await waitFor(() => expect(refusal?.textContent).toContain('State battery: is out of range'))
})

test('[route.device.info] setting the work back wants a reason', async () => {
  const { of } = await stage(InfoScreen, {
    at: '/device/info?deviceId=1',
    answers: INFO,
    keys: [...KEYS, 'device/index/edit'],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Reset' }))
  const dialog = await screen.findByRole('dialog')
  const send = within(dialog).getByRole('button', { name: 'Reset' })
  expect(send).toHaveProperty('disabled', true)
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'Sold')
  await userEvent.click(send)
  await waitFor(() =>
    expect(of('/device/workInfoResetById')[0]?.payload).toMatchObject({ deviceId: 1, reason: 'Sold' }),
  )
})

test('[route.device.info] without a robot the page says so', async () => {
  await stage(InfoScreen, { at: '/device/info', answers: INFO, keys: KEYS })
  expect(await screen.findByText('No robot selected')).toBeTruthy()
})

test('[route.device.info] speed and disinfectant of the page follow each frame', async () => {
  const server = await connectLive()
  const disinfecting = { ...INFO, '/device/selectDeviceByDeviceId': { ...ROBOT, abilities: ['disinfect'] } }
  await stage(InfoScreen, { at: '/device/info?deviceId=1', answers: disinfecting, keys: KEYS })
  const value = async (name: string) =>
    (await screen.findByText(name)).nextElementSibling?.textContent?.replace(/\s/g, ' ')
  server.send({ speed: 0.3, liquid: 40 })
  expect([await value('Speed'), await value('Disinfectant')]).toEqual(['0.3 m/s', '40%'])
  server.send({ speed: 0.52, liquid: 38.6 })
  expect([await value('Speed'), await value('Disinfectant')]).toEqual(['0.52 m/s', '39%'])
  server.close()
})

test('show the map that a robot draws and the equipment that it has switched on', async () => {
  const drawing = { ...ROBOT, mode: 'moving', mapping: 'Market day', mapped: 120, utilities: { fan: 2, polisher: 1 } }
  await stage(InfoScreen, {
    at: '/device/info?deviceId=1',
    answers: { ...INFO, '/device/selectDeviceByDeviceId': drawing },
    keys: KEYS,
  })
  const drawn = await screen.findByText('Map building')
  expect(drawn.parentElement?.textContent).toContain('Market day · 120')
  expect(screen.getByText('Equipment').parentElement?.textContent).toContain('Suction fan, polisher')
})
