import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { AppScreen } from './app-screen'
import { CloudScreen } from './cloud-screen'
import { FirmwareScreen } from './firmware-screen'
import { ParametersScreen } from './parameters-screen'
import { SoftScreen } from './soft/soft-screen'
import { WholeScreen } from './whole-screen'

vi.mock('@/shared/rpc/upload', () => ({ upload: async () => 'token' }))

const TIMES = { createTime: '2026-11-20T10:00:00Z', updateTime: '2026-11-20T10:00:00Z' }
const STORED = { id: 9, path: 'versions/file-nav.swu', size: 2048, sha256: 'a'.repeat(64) }
const LINE = {
  ...{ versionId: 3, typeId: 1, typeName: 'Navigation', deviceTypeName: 'SC50', publicId: null, name: '', version: '' },
  ...{ publishTime: null, builds: 1, ...TIMES },
}
const BUILD = {
  ...{ publicId: 5, versionId: 3, name: 'v2024.5', version: '2.0.0', log: 'Faster', file: STORED.path, stored: STORED },
  ...{ published: false, publishTime: null, ...TIMES },
}
const FIRMWARE = {
  ...{ id: 7, name: 'FW-7', version: '1.0.4', description: '', file: STORED.path, stored: STORED, enabled: false },
  ...{ deviceTypes: [1], ...TIMES },
}
const APP = {
  ...{ id: 6, name: 'Pad 3.1', log: '', releaseFile: 'pad.apk', debugFile: '', release: STORED, debug: null },
  ...{ blackList: [], whiteList: [], published: false, publishTime: null, ...TIMES },
}
const WHOLE = {
  ...{ id: 8, name: 'Autumn', versionNumber: '20240501', appVersion: '', firmwareVersion: '1.0.4' },
  ...{ softVersion: '2.0.0', blackList: [], whiteList: [], published: true, publishTime: TIMES.createTime, ...TIMES },
}
const ROBOTS = [
  { deviceId: 1, deviceSerialNumber: 'SC0001', deviceCode: 'Lobby', selected: true, testDevice: false },
  { deviceId: 2, deviceSerialNumber: 'SC0002', deviceCode: 'Hall', selected: false, testDevice: true },
]
const TYPES = { list: [{ typeId: 1, typeName: 'SC50', typeUrl: '', description: '', abilities: [], ...TIMES }] }
const ANSWERS = {
  '/device/selectDeviceType': TYPES,
  '/oss/holdings': [],
  '/version/selectVersion': { list: [LINE], total: 1, pageNum: 1 },
  '/version/selectVersionPublic': { list: [BUILD] },
  '/version/selectDeviceRange': { list: ROBOTS },
  '/version/selectVersionFireware': { list: [FIRMWARE] },
  '/version/selectVersionApp': { list: [APP] },
  '/version/selectAppBlackRange': { list: ROBOTS },
  '/wmWholeVersion/queryByPage': { list: [WHOLE], total: 1, pageNum: 1 },
  '/wmWholeVersion/selectDeviceWhiteRange': { list: ROBOTS },
  '/wmWholeVersion/querySoftVersionList': { list: [BUILD] },
  '/wmWholeVersion/selectWholeVersionAppByPadPgyerHistory': { list: [APP], total: 1, pageNum: 1 },
  '/wmCloudVersion/queryByPage': { list: [], total: 0, pageNum: 0 },
  '/configure/findAll': { list: [] },
  '/configure/selectDeliveryPageList': {
    list: [],
    total: 0,
    pageNum: 0,
    counts: { waiting: 0, sent: 0, shown: 0, failed: 0 },
  },
}
const BUTTONS = ['version/fireware/enable', 'version/app/publish', 'version/index/whole_version/publish']

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

const show = (Screen: ComponentType, page: string, { keys = BUTTONS, ...answers }: Record<string, unknown> = {}) =>
  stage(Screen, {
    ...{ at: `/${page}`, keys: [page, ...(keys as string[])] },
    answers: { ...ANSWERS, ...answers },
  })

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const confirm = async (name: string) =>
  userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))

test('[route.version.soft] a build is published to the robots that are chosen', async () => {
  const { of } = await show(SoftScreen, 'version/soft', { '/version/updateVersionTypeAndPublish': {} })
  await press('Builds: Navigation')
  await press('Publish: v2024.5')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(await dialog.findByRole('checkbox', { name: 'Choose Hall' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Publish' }))
  await waitFor(() =>
    expect(of('/version/updateVersionTypeAndPublish')[0]?.payload).toEqual({
      ...{ versionId: 3, publicId: 5, deviceSerialNumbers: ['SC0001', 'SC0002'] },
    }),
  )
})

test('[rule.version.name, rule.version.model] a line of software needs a name and a device type', async () => {
  const { of } = await show(SoftScreen, 'version/soft')
  await press('Add software')
  await confirm('Add')
  expect(await screen.findByText('Enter a name')).toBeTruthy()
  expect(screen.getByText('Choose a device type')).toBeTruthy()
  expect(of('/version/insertVersion')).toEqual([])
})

test('[rule.version.soft_version] a build needs a version and a file', async () => {
  const { of } = await show(SoftScreen, 'version/soft', { '/version/insertVersionPublic': { publicId: 6 } })
  await press('Builds: Navigation')
  await press('Add build')
  await confirm('Add')
  expect(await screen.findByText('Enter the software version')).toBeTruthy()
  const dialog = await screen.findByRole('dialog')
  await userEvent.type(within(dialog).getByLabelText('Name'), 'v2024.6')
  await userEvent.type(within(dialog).getByLabelText('Software version'), '2.0.1')
  await confirm('Add')
  expect(await screen.findByText('Choose a file')).toBeTruthy()
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  await userEvent.upload(input as HTMLInputElement, new File(['x'], 'nav 6.swu'))
  await confirm('Add')
  await waitFor(() =>
    expect(of('/version/insertVersionPublic')[0]?.payload).toEqual({
      ...{ versionId: 3, name: 'v2024.6', version: '2.0.1', log: '', file: 'versions/file-nav_6.swu' },
    }),
  )
})

test('[route.version.fireware, perm.button.version.fireware.enable] firmware is enabled once that is confirmed', async () => {
  const { of } = await show(FirmwareScreen, 'version/fireware', { '/version/updateVersionFireware': {} })
  await press('Enable: FW-7')
  expect(of('/version/updateVersionFireware')).toEqual([])
  await confirm('Enable')
  await waitFor(() => expect(of('/version/updateVersionFireware')[0]?.payload).toEqual({ id: 7, enabled: true }))
})

test('[route.version.fireware] neither edit nor enable firmware without the right', async () => {
  await show(FirmwareScreen, 'version/fireware', { keys: [] })
  expect(await screen.findByRole('button', { name: 'Delete: FW-7' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Enable: FW-7' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit: FW-7' })).toBeNull()
})

test('[rule.version.firmware_name, rule.version.firmware_version] firmware needs a name, a version and a type', async () => {
  await show(FirmwareScreen, 'version/fireware')
  await press('Add firmware')
  await confirm('Add')
  for (const fault of ['Enter a name', 'Enter the firmware version', 'Choose a device type'])
    expect(await screen.findByText(fault)).toBeTruthy()
})

test('[route.version.app, rule.version.app_name] an app needs a name', async () => {
  await show(AppScreen, 'version/app')
  await press('Add app version')
  await confirm('Add')
  expect(await screen.findByText('Enter a name')).toBeTruthy()
})

test('[route.version.app, perm.button.version.app.publish] an app is published once that is confirmed', async () => {
  const { of } = await show(AppScreen, 'version/app', { '/version/publishVersionApp': {} })
  await press('Publish: Pad 3.1')
  expect(of('/version/publishVersionApp')).toEqual([])
  await confirm('Publish')
  await waitFor(() => expect(of('/version/publishVersionApp')[0]?.payload).toEqual({ id: 6, published: true }))
})

test('[route.version.app] robots are taken from the block list of an app', async () => {
  const { of } = await show(AppScreen, 'version/app', { '/version/updateVersionApp': {} })
  await press('Block list: Pad 3.1')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose Lobby' }))
  await confirm('Save')
  await waitFor(() => expect(of('/version/updateVersionApp')[0]?.payload).toEqual({ id: 6, blackList: [] }))
})

test('[route.version.index.whole_version, rule.confirm.whole_publish] a system version is unpublished once that is confirmed', async () => {
  const { of } = await show(WholeScreen, 'version/index/whole_version', { '/wmWholeVersion/edit': {} })
  await press('Unpublish: Autumn')
  expect(of('/wmWholeVersion/edit')).toEqual([])
  await confirm('Unpublish')
  await waitFor(() => expect(of('/wmWholeVersion/edit')[0]?.payload).toEqual({ id: 8, published: false }))
})

test('[rule.version.number, rule.version.name] a system version needs a name and a number', async () => {
  await show(WholeScreen, 'version/index/whole_version')
  await press('Add system version')
  await confirm('Add')
  expect(await screen.findByText('Enter a name')).toBeTruthy()
  expect(screen.getByText('Enter the version number')).toBeTruthy()
})

test('[perm.button.version.index.whole_version.publish] without the key nothing is edited or published', async () => {
  await show(WholeScreen, 'version/index/whole_version', { keys: [] })
  expect(await screen.findByRole('button', { name: 'Allow list: Autumn' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Edit: Autumn' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Unpublish: Autumn' })).toBeNull()
})

test('[route.version.configure] a parameter needs a key that programs can read', async () => {
  const { of } = await show(ParametersScreen, 'version/configure', { '/configure/add': { id: 1 } })
  await userEvent.click((await screen.findAllByRole('button', { name: 'Add parameter' }))[0] as HTMLElement)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Key'), 'map scale')
  await confirm('Add')
  expect(of('/configure/add')).toEqual([])
  await userEvent.clear(dialog.getByLabelText('Key'))
  await userEvent.type(dialog.getByLabelText('Key'), 'map.scale')
  await userEvent.type(dialog.getByLabelText('Value'), '1')
  await confirm('Add')
  await waitFor(() => expect(of('/configure/add')[0]?.payload).toEqual({ key: 'map.scale', value: '1' }))
})

test('[route.version.index.cloud_version, feat.area.versions] a cloud version is added with what is new', async () => {
  const { of } = await show(CloudScreen, 'version/index/cloud_version', { '/wmCloudVersion/add': { id: 1 } })
  await userEvent.click((await screen.findAllByRole('button', { name: 'Add cloud version' }))[0] as HTMLElement)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Version'), '1.21.0')
  await userEvent.type(dialog.getByLabelText('Release notes'), 'Updates')
  await confirm('Add')
  await waitFor(() => expect(of('/wmCloudVersion/add')[0]?.payload).toEqual({ version: '1.21.0', log: 'Updates' }))
})

test('[route.version.configure] each robot shows which parameter it refused and why, and is sent them again', async () => {
  const robot = { deviceId: 1, deviceSerialNumber: 'SC0001', deviceCode: 'Lobby', updateTime: TIMES.updateTime }
  const refused = {
    state: 'failed',
    reason: 'param_range',
    refusedKey: 'charge_below',
    unknownKeys: [],
    shownTime: null,
  }
  const other = {
    ...robot,
    deviceId: 2,
    deviceCode: 'Hall',
    state: 'shown',
    reason: '',
    refusedKey: '',
    shownTime: null,
  }
  const { of } = await show(ParametersScreen, 'version/configure', {
    '/configure/selectDeliveryPageList': {
      ...{
        list: [
          { ...robot, ...refused },
          { ...other, unknownKeys: ['map.scale'] },
        ],
        total: 2,
        pageNum: 1,
      },
      counts: { waiting: 0, sent: 0, shown: 1, failed: 1 },
    },
    '/configure/send': {},
  })
  await screen.findByText('Refused: charge_below')
  screen.getByText('The value is out of range')
  screen.getByText('Not known to it: map.scale')
  screen.getByText('In force on 1 of 2 devices')
  await press('Send again: Lobby')
  await waitFor(() => expect(of('/configure/send')[0]?.payload).toEqual({ deviceId: 1 }))
})

test.each([
  [
    FirmwareScreen,
    'version/fireware',
    'firmware',
    'FW-7',
    { '/version/selectVersionFireware': { list: [{ ...FIRMWARE, enabled: true }] } },
  ],
  [
    AppScreen,
    'version/app',
    'app',
    'Pad 3.1',
    { '/version/selectVersionApp': { list: [{ ...APP, published: true }] } },
  ],
  [WholeScreen, 'version/index/whole_version', 'whole', 'Autumn', {}],
] as const)('roll out what is published of each kind', async (Screen, page, versionKind, name, answers) => {
  const robot = { ...ROBOTS[0], step: 1, version: '1.0.0', online: true, busy: false, size: 2048 }
  const { of } = await show(Screen, page, {
    ...{
      ...answers,
      keys: [...BUTTONS, 'version/soft'],
      '/version/startRollout': { id: 4 },
      '/device/groupList': { list: [] },
    },
    '/version/previewRollout': {
      ...{ name, version: '2', size: 2048, stepGroups: [], list: [robot] },
      sites: [{ address: '', robots: 1, size: 2048 }],
    },
  })
  await press(`Roll-out: ${name}`)
  await screen.findByText('Lobby')
  await confirm('Start roll-out')
  await waitFor(() => expect(of('/version/startRollout')[0]?.payload).toMatchObject({ versionKind }))
})
