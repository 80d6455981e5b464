import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { can } from '@/widgets/robot/robot'
import { device, stage } from '@/widgets/testing/test-stage'
import { DeviceScreen } from './list/device-screen'
import { PasswordsScreen } from './registration/passwords-screen'

const LIST = '/device/selectDevicePc'
const DEVICE = '/device/selectDeviceByDeviceId'
const KEYS = ['index', 'device/index']
const ALL = [
  ...KEYS,
  ...['edit', 'edit_owner', 'bind_user', 'view_password', 'delete', 'add', 'authCode', 'authCodes', 'type_admin'].map(
    (key) => `device/index/${key}`,
  ),
]
const ROBOT = device(1, {
  ...{ updateTime: 'T1', rackNumber: '', simNo: '', simSupport: null, area: '', province: '', zone: 'UTC' },
  ...{ latitude: null, longitude: null, frpHost: '', frpPort: null, sshPort: null, webPort: null },
  ...{ ownerUserId: 3, customerName: '', customerAddress: '', elevatorId: null },
})
const TYPES = [{ typeId: 1, typeName: 'Scrub 50', typeUrl: '', description: '', abilities: [], updateTime: 'T' }]
const AROUND = {
  '/device/selectDeviceType': { list: TYPES },
  '/device/selectOwnUser': {
    list: [{ userId: 3, name: 'User', levelDepth: 3, childs: [{ userId: 4, name: 'Sub', levelDepth: 4, childs: [] }] }],
  },
  '/wmDeviceHostInfo/queryList': { list: [] },
  '/wmDeviceHostInfo/places': { countries: ['GB'], nodes: [], regions: [] },
  '/elevator/list': { list: [], total: 0, pageNum: 0 },
  [LIST]: { list: [ROBOT], total: 1, pageNum: 1, counts: { idle: 1 } },
}

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

const show = (answers: Record<string, unknown> = {}, keys = ALL) =>
  stage(DeviceScreen, { at: '/device/index?view=table', answers: { ...AROUND, ...answers }, keys })

async function choose(name: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'More: Kestrel 1' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
  return screen.findByRole('dialog')
}

test('[route.device.index] [feat.device_list.actions] [feat.device_list.toolbar] each action and tool obeys its key', async () => {
  await show({}, [...KEYS, 'device/index/edit'])
  await userEvent.click(await screen.findByRole('button', { name: 'More: Kestrel 1' }))
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['Edit'])
  for (const name of ['Add device', 'Authorisation code', 'Device type'])
    expect(within(document.querySelector('search') as HTMLElement).queryByRole('button', { name })).toBeNull()
})

test('[route.device.index] without any key there is no menu', async () => {
  await show({}, KEYS)
  await screen.findByText('Kestrel 1')
  expect(screen.queryByRole('button', { name: 'More: Kestrel 1' })).toBeNull()
})

test('[dialog.device_add_edit] [rule.device.name] only what was changed is sent, and a fault stays at its field', async () => {
  const { of } = await show({ '/device/updateDeviceInfo': {} })
  const dialog = within(await choose('Edit'))
  const name = await dialog.findByRole('textbox', { name: 'Device name' })
  await userEvent.clear(name)
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('This field is required')).toBeTruthy()
  expect(of('/device/updateDeviceInfo')).toHaveLength(0)
  await userEvent.type(name, 'Seven')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(of('/device/updateDeviceInfo')[0]?.payload).toEqual({ deviceId: 1, updateTime: 'T1', deviceCode: 'Seven' }),
  )
})

test('[dialog.device_add_edit] show the second of two editors both versions and lose nothing', async () => {
  const conflict = () =>
    Response.json({ message: { code: 40009, message: 'Changed' }, data: { fields: ['deviceCode', 'address'] } })
  let tries = 0
  const { of } = await show({
    '/device/updateDeviceInfo': () => (tries++ === 0 ? conflict() : {}),
    [DEVICE]: { ...ROBOT, deviceCode: 'Theirs', address: 'Their tower', updateTime: 'T2' },
  })
  const dialog = within(await choose('Edit'))
  const name = await dialog.findByRole('textbox', { name: 'Device name' })
  await userEvent.clear(name)
  await userEvent.type(name, 'Mine')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect((await dialog.findByRole('row', { name: /Device name/ })).textContent).toContain('TheirsMine')
  await userEvent.click(dialog.getByRole('button', { name: 'Use these and keep my changes' }))
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Building' }).value).toBe('Their tower')
  await userEvent.click(dialog.getByRole('button', { name: /Save/ })) // its wheel leaves slowly
  await waitFor(() =>
    expect(of('/device/updateDeviceInfo')[1]?.payload).toEqual({ deviceId: 1, updateTime: 'T2', deviceCode: 'Mine' }),
  )
})

test('[dialog.device_owner_elevator] a new owner asks what becomes of its things; keeping them is the default', async () => {
  const { of } = await show({ '/device/updateDeviceUserInfo': {} })
  const dialog = within(await choose('Owner, customer, elevator'))
  expect(dialog.queryByRole('radio')).toBeNull()
  await userEvent.click(await dialog.findByRole('combobox', { name: 'Owner' }))
  await userEvent.click(await screen.findByText('User', { selector: '.ant-cascader-menu-item-content' }))
  await userEvent.click(await screen.findByText('Sub', { selector: '.ant-cascader-menu-item-content' }))
  const stays = await dialog.findByRole<HTMLInputElement>('radio', { name: /Keep with the previous owner/ })
  expect(stays.checked).toBe(true)
  await userEvent.click(dialog.getByRole('button', { name: 'Transfer to the new owner' }))
  await waitFor(() =>
    expect(of('/device/updateDeviceUserInfo')[0]?.payload).toMatchObject({ ownerUserId: 4, things: 'keep' }),
  )
})

test('[dialog.device_owner_elevator] name the robot’s new owner', async () => {
  const conflict = () =>
    Response.json({ message: { code: 40009, message: 'Changed' }, data: { fields: ['ownerUserId'] } })
  await show({
    '/device/updateDeviceUserInfo': conflict,
    [DEVICE]: { ...ROBOT, ownerUserId: 5, updateTime: 'T2' },
    '/device/selectOwnUser': {
      list: ['User', 'Sub', 'Other'].map((name, place) => ({ userId: 3 + place, name, levelDepth: 3, childs: [] })),
    },
  })
  const dialog = within(await choose('Owner, customer, elevator'))
  await userEvent.click(await dialog.findByRole('combobox', { name: 'Owner' }))
  await userEvent.click(await screen.findByText('Sub', { selector: '.ant-cascader-menu-item-content' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Transfer to the new owner' }))
  expect((await dialog.findByRole('row', { name: /Owner/ })).textContent).toContain('OtherSub')
})

test('[call.device.deleteDevice] the serial number is typed before a robot is deleted', async () => {
  const { of } = await show({ '/device/deleteDevice': {} })
  const dialog = within(await choose('Delete'))
  const button = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Delete' })
  expect(button.disabled).toBe(true)
  await userEvent.type(dialog.getByRole('textbox'), 'SC0001')
  await userEvent.click(button)
  await waitFor(() => expect(of('/device/deleteDevice')[0]?.payload).toEqual({ deviceId: 1 }))
})

test('[call.device.selectPasswordByDeviceId] [q.device_password] a password is asked for by a press, each time anew', async () => {
  const { of } = await show({
    '/device/selectPasswordByDeviceId': { password: 'abc123', coming: false, setTime: '2026-11-21T10:00:00Z' },
  })
  const dialog = within(await choose('Device password'))
  const button = await dialog.findByRole('button', { name: 'Show password' })
  expect(of('/device/selectPasswordByDeviceId')).toHaveLength(0)
  await userEvent.click(button)
  expect(await dialog.findByText('abc123')).toBeTruthy()
  await userEvent.click(dialog.getByText('Close', { selector: 'button *' }))
  await waitFor(() => expect(screen.queryByText('abc123')).toBeNull())
})

test('[dialog.auth_code] codes for many robots come as a spreadsheet once every serial number was checked', async () => {
  const checks = [
    { rows: 2, known: 0, faults: [{ deviceSerialNumber: 'SC2', why: 'Another robot has this serial number' }] },
    { rows: 2, known: 1, faults: [] },
  ]
  const { of } = await show({ '/device/checkAuthCodes': () => checks.shift() })
  const read = { message: { code: 0, message: '' }, data: { list: ['SC2', 'SC3'] } }
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {}
      status = 200
      responseText = JSON.stringify(read)
      onload?: () => void
      open() {}
      setRequestHeader() {}
      send() {
        queueMicrotask(() => this.onload?.())
      }
    },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Authorisation code' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Authorisation codes for many robots' }))
  const dialog = within(await screen.findByRole('dialog'))
  const numbers = await dialog.findByRole('textbox', { name: 'Serial numbers' })
  const download = dialog.getByRole<HTMLButtonElement>('button', { name: 'Download codes' })
  await userEvent.type(numbers, 'no-')
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Check' }).disabled).toBe(true)
  await userEvent.clear(numbers)
  await userEvent.type(numbers, 'SC1\nSC2, SC1')
  await userEvent.click(dialog.getByRole('button', { name: 'Check' }))
  expect((await dialog.findByRole('row', { name: /SC2/ })).textContent).toContain('Another robot')
  expect(download.disabled).toBe(true)
  await userEvent.click(dialog.getByRole('button', { name: /Check/ })) // its wheel leaves slowly
  expect((await dialog.findByRole('status')).textContent).toBe('Robots: 2, of which already listed: 1')
  expect(download.disabled).toBe(false)
  expect(of('/device/checkAuthCodes')[1]?.payload).toEqual({ deviceSerialNumbers: ['SC1', 'SC2'] })
  const sheet = document.querySelector<HTMLInputElement>('input[type=file]')
  if (sheet) await userEvent.upload(sheet, new File(['x'], 'robots.xlsx'))
  await waitFor(() => expect((numbers as HTMLTextAreaElement).value.split('\n')).toEqual(['SC1', 'SC2', 'SC2', 'SC3']))
  expect(download.disabled).toBe(true) // what came from the sheet is checked, too
})

test('[dialog.auth_code] [const.auth_code_ttl] the code is shown with the time that is left', async () => {
  const { of } = await show({ '/device/deviceGenerateAuthCode': 'K7mPq2Rs' })
  await userEvent.click(await screen.findByRole('button', { name: 'Authorisation code' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(await dialog.findByRole('button', { name: 'Create code' }))
  expect(await dialog.findByText('K7mPq2Rs')).toBeTruthy()
  expect(dialog.getByRole('timer').textContent).toMatch(/^(2:00|1:5\d) left$/)
  expect(of('/device/deviceGenerateAuthCode')[0]?.payload).toEqual({})
})

test('[dialog.device_type] a type that is in use says how many have it', async () => {
  const refused = () =>
    Response.json({
      message: { code: 40000, message: 'typeId: Devices have this type: 4' },
      data: { field: 'typeId', count: 4 },
    })
  await show({ '/device/deleteDeviceType': refused })
  await userEvent.click(await screen.findByRole('button', { name: 'Device type' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(await dialog.findByRole('button', { name: 'Delete: Scrub 50' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(await dialog.findByText('Devices have this type: 4')).toBeTruthy()
})

test('[route.device.index.device.selectViewPwdPageList] records are narrowed in the URL', async () => {
  const list = [
    {
      ...{ id: 1, userId: 3, userName: 'Lustra HQ', account: 'admin', deviceId: 1, deviceSerialNumber: 'SC0001' },
      ...{ deviceCode: 'Kestrel 1', time: '2026-11-21T10:00:00Z', ip: '10.0.0.7' },
    },
  ]
  const path = '/device/index/device/selectViewPwdPageList'
  const { of, router } = await stage(PasswordsScreen, {
    at: `${path}?from=2026-11-01`,
    answers: { '/device/selectViewPwdPageList': { list, total: 1, pageNum: 1 } },
    keys: ['index'],
  })
  expect(await screen.findByText('10.0.0.7')).toBeTruthy()
  await userEvent.type(screen.getByRole('textbox', { name: 'Serial number' }), 'SC{Enter}')
  await waitFor(() =>
    expect(of('/device/selectViewPwdPageList').at(-1)?.payload).toMatchObject({
      deviceSerialNumber: 'SC',
      startDate: '2026-11-01',
    }),
  )
  expect(router.state.location.search).toBe('?serial=SC&from=2026-11-01')
})

test('a robot can what it or its type tells; one that tells nothing is asked for all', () => {
  expect(can({ abilities: ['clean'] }, 'carpet')).toBe(false)
  expect(can({ abilities: ['clean', 'carpet'] }, 'carpet')).toBe(true)
  expect(can({ abilities: [] }, 'carpet')).toBe(true)
})

const PART = {
  ...{ id: 5, deviceId: 1, deviceCode: 'Kestrel 1', deviceSerialNumber: 'SC0001', hardSupportId: 7, cate_id: 1 },
  ...{ cate_name: 'Pump', type: 'Pump', name: 'P-40', hard_support_text: 'P-40', version: '1', batchId: null },
  ...{ batchName: '' },
}
const BATCH = { batchId: 9, batchName: 'Lot', rackRange: 'SC0001-SC0030', typeIds: [1], typeNames: [] }
const HARDWARE = {
  '/deviceHard/getDeviceHardByDeviceId': { list: [PART], cateList: null },
  '/deviceHardSupport/listCateGroup': {
    list: [{ cate_id: 1, cate_name: 'Pump', children: [{ ...PART, id: 8, name: 'P-50', version: '2' }] }],
  },
  '/deviceProductBatch/listFull': { list: [BATCH, { ...BATCH, batchId: 10, batchName: 'Other', typeIds: [2] }] },
}

async function hardware(answers: Record<string, unknown> = {}) {
  const { of } = await show({ ...HARDWARE, ...answers }, [...KEYS, 'device/index/edit_hardware'])
  return { of, dialog: within(await choose('Edit hardware')) }
}

async function pick(combobox: HTMLElement, option: string) {
  await userEvent.click(combobox)
  await userEvent.click(await screen.findByText(option, { selector: '.ant-select-item-option-content' }))
}

test('[dialog.device_hardware] a part is fitted, and another takes the place of one', async () => {
  const { of, dialog } = await hardware({ '/deviceHard/addDeviceHard': {}, '/deviceHard/updateDeviceHard': {} })
  await pick(await dialog.findByRole('combobox', { name: 'Replace with: P-40 1' }), 'P-50 2')
  await waitFor(() =>
    expect(of('/deviceHard/updateDeviceHard')[0]?.payload).toEqual({ deviceId: 1, id: 5, hardSupportId: 8 }),
  )
})

test('[dialog.device_hardware] only batches of the robot’s type are offered', async () => {
  const { of, dialog } = await hardware({ '/deviceHard/updateDeviceHardByBatchId': {} })
  const batches = await dialog.findByRole('combobox', { name: 'Production batch' })
  await pick(batches, 'Lot · SC0001-SC0030')
  expect(screen.queryByText(/^Other/)).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Fit parts of the batch' }))
  await waitFor(() =>
    expect(of('/deviceHard/updateDeviceHardByBatchId')[0]?.payload).toEqual({ deviceId: 1, batchId: 9 }),
  )
})

test('[dialog.device_hardware] the history tells ends that one may know, and no others', async () => {
  const exchange = { ...PART, after: 'P-50 2', before: 'P-40 1', time: '2026-11-21T10:00:00Z', operator: 'Factory' }
  const list = [
    { ...exchange, endTime: null, endOperator: null, fitted: true },
    {
      ...exchange,
      id: 4,
      after: 'P-40 1',
      before: '',
      time: null,
      operator: null,
      endTime: exchange.time,
      fitted: false,
    },
  ]
  const { dialog } = await hardware({ '/deviceHard/getDeviceHardHistoryListBean': { list } })
  await userEvent.click(await dialog.findByRole('tab', { name: 'History' }))
  expect(await dialog.findByText('In use')).toBeDefined()
  expect(dialog.getByText('Replaced P-40 1')).toBeDefined()
  expect(dialog.getByText('Under a previous owner')).toBeDefined()
})

test('[dialog.device_add_edit] a text ends where the server’s limit is; the time zone is one of the known', async () => {
  const { of } = await show({ '/device/updateDeviceInfo': {} })
  const dialog = within(await choose('Edit'))
  const longest = async (name: string) => (await dialog.findByRole<HTMLInputElement>('textbox', { name })).maxLength
  expect([await longest('Device name'), await longest('Rack number'), await longest('Building')]).toEqual([
    100, 32, 200,
  ])
  const zone = dialog.getByRole('combobox', { name: 'Time zone' })
  await userEvent.click(zone)
  await userEvent.type(zone, 'Europe/Berl')
  await userEvent.click(await screen.findByTitle('Europe/Berlin'))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(of('/device/updateDeviceInfo')[0]?.payload).toMatchObject({ zone: 'Europe/Berlin' }))
})
