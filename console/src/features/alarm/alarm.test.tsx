import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { device, stage } from '@/widgets/testing/test-stage'
import { CentreScreen } from './centre-screen'
import { daysOf, lastDays } from './days'
import { DeviceAlarmsScreen } from './device-alarms-screen'
import { LiveScreen } from './live-screen'
import { SettingsScreen } from './settings-screen'
import { SummaryScreen } from './summary-screen'

const ALARM = {
  ...{ warnId: 7, deviceId: 1, deviceSerialNumber: 'SC0001', deviceCode: 'Kestrel 1', protocolVersion: 3 },
  ...{ building: 'Quay', floor: '1', zone: 'UTC', code: 'stuck', type: 2, level: 3, content: 'Stuck', state: 1 },
  ...{ count: 3, time: '2026-11-23T08:00:00Z', lastTime: '2026-11-23T08:20:00Z', clearedTime: null },
  ...{
    resolveDate: null,
    resolvedBy: '',
    takenUserId: null,
    takenBy: '',
    snoozedUntil: null,
    groupId: null,
    groupCause: '',
    groupName: '',
    groupCount: 0,
    takenTime: null,
    detail: 'between chairs',
    mapName: 'Lobby',
    run: '',
    x: 1,
    y: 2,
    yaw: 0,
  },
}
const NOTICE = {
  ...{ ...ALARM, warnId: 6, code: '0x9999', content: '0x9999', type: 1, level: 1, state: 2, count: 1, detail: '' },
  ...{ resolveDate: '2026-11-23T08:10:00Z', resolvedBy: 'Mira' },
}
const SETTING = {
  ...{
    id: 4,
    code: 'stuck',
    content: 'Stuck',
    type: 2,
    level: 3,
    notifyAfterS: 0,
    offDelayS: 0,
    known: true,
    app: 1,
    cloud: 1,
    email: 0,
  },
  ...{ officialAccount: 0, sms: 0, terminal: 0, offSitePush: 0 },
}
const page = (list: unknown[]) => ({ list, total: list.length, pageNum: 1 })
const AROUND = {
  '/warn/list': page([ALARM, NOTICE]),
  '/warn/listUnProcess': { list: [ALARM], count: 1, taken: 0, newest: 7 },
  '/warn/chart': { list: [] },
  '/warn/warnSummary': {
    list: [
      { code: 'stuck', content: 'Stuck', type: 2, level: 3, count: 5, open: 1, devices: 2 },
      { code: '0x0470', content: 'Left disinfectant too low', type: 1, level: 2, count: 2, open: 0, devices: 1 },
    ],
    devices: [{ deviceId: 1, deviceCode: 'Kestrel 1', deviceSerialNumber: 'SC0001', count: 7, open: 1 }],
  },
  '/warn/measures': {
    list: [
      { name: 'perHour', value: 0.25, most: 6, met: true },
      { name: 'flood', value: 0.03, most: 0.01, met: false },
      { name: 'standing', value: 7, most: 5, met: false },
      { name: 'take', value: null, most: 600, met: true },
    ],
  },
  '/warn/resumeWarn': { count: 1 },
  '/wmWarnSet/queryByPage': page([
    SETTING,
    { ...SETTING, id: 5, code: '0x9999', content: '0x9999', known: false, app: 0, cloud: 0 },
  ]),
  '/wmWarnSet/edit': {},
  '/wmWarnSet/dryRun': { list: [{ code: 'stuck', notifyAfterS: 300, count: 14 }] },
  '/warn/listNotifications': { list: [] },
  '/warn/listSnoozes': { list: [] },
  '/warn/snoozeWarn': { until: '2026-11-23T10:00:00Z' },
  '/warn/endSnooze': {},
  '/device/selectDevicePc': page([device(1)]),
  '/device/selectDeviceByDeviceId': device(1),
  '/device/selectOwnUser': { list: [] },
}
const ALL = ['warn/index/warn', 'warn/index/warn/resume', 'device/warn', 'device/warn/delete', 'index/realWarn']

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

const show = (Screen: ComponentType, at: string, answers: Record<string, unknown> = {}, keys = ALL) =>
  stage(Screen, { at, keys, answers: { ...AROUND, ...answers } })

test('[route.warn.index.warn, perm.page.warn.index.warn] the filters stand in the address and are asked for', async () => {
  const { of } = await show(
    CentreScreen,
    '/warn/index/warn?code=stuck&state=1&type=2&level=3&deviceId=1&from=2026-11-20',
  )
  await screen.findByText('Stuck')
  expect(of('/warn/list')[0]?.payload).toEqual({
    ...{ currentPage: 1, pageSize: 30, code: 'stuck', state: 1, type: 2, level: 3 },
    ...{ deviceId: 1, startDate: '2026-11-20' },
  })
  expect(screen.getByRole('row', { name: /Stuck/ }).textContent).toContain('Unresolved')
})

test('show above the list what is open, who is on it, and how long alarms take', async () => {
  const { of } = await show(CentreScreen, '/warn/index/warn?deviceId=1', {
    '/warn/listUnProcess': { list: [ALARM], count: 140, taken: 3, newest: 7 },
    '/warn/measures': { list: [{ name: 'take', value: 130, most: 600, met: true }] },
  })
  const figure = async (name: string) =>
    (await screen.findByText(name, { selector: 'dt' })).parentElement?.querySelector('dd')?.textContent
  await waitFor(async () => expect(await figure('Unresolved')).toBe('140'))
  expect(await figure('Someone is on it')).toBe('3')
  await waitFor(async () => expect(await figure('Mean time until someone takes it')).toMatch(/^2\smin\s10\ss$/))
  expect(await figure('Mean time until it is resolved')).toBe('–')
  expect(of('/warn/measures')[0]?.payload).toEqual({ days: 7, deviceIds: [1] })
  expect(of('/warn/listUnProcess')[0]?.payload).toEqual({ deviceId: 1 })
})

test('[rule.confirm.alarm] an alarm is resolved after it was asked, alone or with all of its robot', async () => {
  const { of } = await show(CentreScreen, '/warn/index/warn')
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve alarm: Stuck, Kestrel 1' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('Resolve “Stuck” of Kestrel 1?')
  expect(of('/warn/resumeWarn')).toHaveLength(0)
  await userEvent.click(dialog.getByRole('button', { name: 'Resolve alarm' }))
  await waitFor(() => expect(of('/warn/resumeWarn')[0]?.payload).toEqual({ deviceSerialNumber: 'SC0001', warnId: 7 }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Resolve all of this robot: Kestrel 1' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Resolve alarm' }))
  await waitFor(() => expect(of('/warn/resumeWarn')[1]?.payload).toEqual({ deviceSerialNumber: 'SC0001' }))
})

test('take an alarm with one press, and release it with another', async () => {
  let takenUserId: number | null = null
  const list = () => page([{ ...ALARM, takenUserId, takenBy: takenUserId ? 'User' : '' }])
  const { of } = await show(CentreScreen, '/warn/index/warn', {
    '/warn/list': list,
    '/warn/takeWarn': () => {
      takenUserId = takenUserId ? null : 3
      return {}
    },
  })
  const ref = { deviceSerialNumber: 'SC0001', warnId: 7 }
  await userEvent.click(await screen.findByRole('button', { name: 'I am on it: Stuck, Kestrel 1' }))
  await screen.findByText('User is on it')
  await userEvent.click(screen.getByRole('button', { name: 'No longer on it: Stuck, Kestrel 1' }))
  await screen.findByText('Unresolved', { ignore: 'dt' })
  expect(of('/warn/takeWarn').map(({ payload }) => payload)).toEqual([
    { ...ref, on: true },
    { ...ref, on: false },
  ])
})

test('put off one alarm of a robot, or all of it', async () => {
  const { of } = await show(CentreScreen, '/warn/index/warn')
  const open = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Snooze: Stuck, Kestrel 1' }))
    return within(await screen.findByRole('dialog'))
  }
  let dialog = await open()
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason (optional)' }), 'Repair')
  await userEvent.click(dialog.getByRole('button', { name: 'Snooze' }))
  const ref = { deviceSerialNumber: 'SC0001', minutes: 60 }
  await waitFor(() => expect(of('/warn/snoozeWarn')[0]?.payload).toEqual({ ...ref, warnId: 7, note: 'Repair' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  dialog = await open()
  await userEvent.click(dialog.getByRole('radio', { name: 'All alarms of this robot' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Snooze' }))
  await waitFor(() => expect(of('/warn/snoozeWarn')[1]?.payload).toEqual({ ...ref, note: '' }))
})

test('show snoozes above the list with end and reason, and end one with a press', async () => {
  const ofRobot = { deviceId: 1, deviceCode: 'Kestrel 1', deviceSerialNumber: 'SC0001', code: '', content: '' }
  const snooze = { id: 9, since: '2026-11-23T09:00:00Z', begun: true, ...ofRobot }
  const { of } = await show(CentreScreen, '/warn/index/warn', {
    '/warn/list': page([{ ...ALARM, snoozedUntil: '2026-11-23T10:00:00Z' }]),
    '/warn/listSnoozes': { list: [{ ...snooze, until: '2026-11-23T10:00:00Z', by: 'Mira', note: 'Repair' }] },
  })
  await screen.findByText('Repair · Mira')
  expect(screen.getAllByText(/^Until /)).toHaveLength(2)
  await userEvent.click(screen.getByRole('button', { name: 'End snooze: Kestrel 1, All alarms of this robot' }))
  await waitFor(() => expect(of('/warn/endSnooze')[0]?.payload).toEqual({ id: 9 }))
})

test('maintenance of a robot is planned from the alarm centre, and stands there with its times', async () => {
  const { of } = await show(CentreScreen, '/warn/index/warn', {
    '/warn/listSnoozes': {
      list: [
        {
          ...{ id: 9, deviceId: 1, deviceCode: 'Kestrel 1', deviceSerialNumber: 'SC0001', code: '', content: '' },
          ...{ since: '2026-12-01T09:00:00Z', begun: false, until: '2026-12-01T10:00:00Z', by: 'Mira', note: '' },
        },
      ],
    },
  })
  await screen.findByText(/^1 Dec 2026, .* to 1 Dec 2026, /)
  await userEvent.click(screen.getByRole('button', { name: 'Plan maintenance' }))
  const dialog = within(await screen.findByRole('dialog'))
  const send = dialog.getByRole('button', { name: 'Plan maintenance' })
  await userEvent.click(send)
  expect(dialog.getByText('This field is required')).toBeTruthy()
  await userEvent.click(dialog.getByRole('combobox', { name: 'Robot' }))
  await userEvent.click(await screen.findByText('Kestrel 1 · SC0001'))
  await userEvent.click(dialog.getByRole('textbox', { name: 'From' }))
  await userEvent.click(await screen.findByText('Now'))
  await userEvent.click(send)
  await waitFor(() => expect(of('/warn/snoozeWarn')).toHaveLength(1))
  expect(of('/warn/snoozeWarn')[0]?.payload).toMatchObject({ deviceSerialNumber: 'SC0001', minutes: 60, note: '' })
  expect(of('/warn/snoozeWarn')[0]?.payload).toHaveProperty('since')
})

test('an alarm of a group leads to all that have its cause', async () => {
  const grouped = { ...ALARM, groupId: 4, groupCause: 'building', groupName: 'North wing', groupCount: 12 }
  await show(CentreScreen, '/warn/index/warn', { '/warn/list': page([grouped]) })
  await userEvent.click(await screen.findByRole('button', { name: 'Expand: Stuck, Kestrel 1' }))
  expect(screen.getByRole('link', { name: '12 alarms' }).getAttribute('href')).toBe('/warn/index/warn?group=4')
  screen.getByText('· North wing')
})

test('a list of one cause says so, and one press shows all again', async () => {
  const { of } = await show(CentreScreen, '/warn/index/warn?group=4')
  await userEvent.click(await screen.findByRole('button', { name: 'Same cause' }))
  await waitFor(() => expect(of('/warn/list')).toHaveLength(2))
  expect(of('/warn/list').map(({ payload }) => (payload as { group?: number }).group)).toEqual([4, undefined])
})

test('show no button on a resolved alarm or without the right', async () => {
  await show(CentreScreen, '/warn/index/warn', {}, ['warn/index/warn'])
  await screen.findByText('Stuck')
  expect(screen.queryByRole('button', { name: /^Resolve/ })).toBeNull()
})

test('a row unfolds to what to do about it', async () => {
  await show(CentreScreen, '/warn/index/warn')
  await userEvent.click(await screen.findByRole('button', { name: 'Expand: Stuck, Kestrel 1' }))
  screen.getByText(/Clear the space around the robot/)
  screen.getByText('Lobby')
})

test('[rule.alarm.chart] the chart has the last seven days, today last, with a sentence and a table', async () => {
  const { startDate, endDate } = lastDays()
  const rows = [
    { date: endDate, type: 2, level: 3, count: 4 },
    { date: endDate, type: 1, level: 2, count: 2 },
    { date: startDate, type: 2, level: 4, count: 1 },
  ]
  expect(daysOf(rows, endDate).map(({ alarms, notices }) => [alarms, notices])).toEqual([
    [1, 0],
    ...Array.from({ length: 5 }, () => [0, 0]),
    [4, 2],
  ])
  const { of } = await show(CentreScreen, '/warn/index/warn', { '/warn/chart': { list: rows } })
  await screen.findByText(/^Alarms: 5, notices: 2\. Most on .*: 6\.$/)
  expect(screen.getAllByText(/: alarms \d+, notices \d+$/)).toHaveLength(7)
  expect(of('/warn/chart')[0]?.payload).toEqual({ startDate, endDate })
})

test('[route.device.warn, perm.page.device.warn] old alarms of one robot are deleted, and of no robot none', async () => {
  await show(DeviceAlarmsScreen, '/device/warn')
  await userEvent.click(await screen.findByRole('button', { name: 'Delete older than…' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
})

test('[perm.page.device.warn] show no button to delete alarms without the right', async () => {
  await show(DeviceAlarmsScreen, '/device/warn', {}, ['device/warn'])
  await screen.findByText('Stuck')
  expect(screen.queryByRole('button', { name: 'Delete older than…' })).toBeNull()
})

test('[route.index.realWarn, perm.page.index.realWarn] of what is open the gravest stands first, and says what to do', async () => {
  await show(LiveScreen, '/index/realWarn')
  await screen.findByText('Stuck')
  screen.getByText(/Clear the space around the robot/)
  expect(screen.getByText(/1 result/)).toBeTruthy()
})

test('[route.device.warnSummary, perm.page.device.warnSummary] the summary counts by code, by robot and by type', async () => {
  await show(SummaryScreen, '/device/warnSummary?from=2026-11-01&to=2026-11-20')
  const cells = async (name: string) =>
    within(await screen.findByRole('table', { name }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
  expect(await cells('By code')).toEqual([expect.stringContaining('Stuck'), expect.stringContaining('0x0470')])
  expect(await cells('By robot')).toEqual(['Kestrel 1SC000171'])
  expect(await cells('By type')).toEqual(['Notice20', 'Alarm51'])
})

test('each measure stands beside its target, and what misses it leads to what changes it', async () => {
  const keys = ['device/warnSummary', 'warn/index/warn']
  await show(SummaryScreen, '/device/warnSummary', {}, keys)
  const table = within(await screen.findByRole('table', { name: /^Alarm quality/ }))
  expect(table.getAllByRole('row').map((row) => row.textContent?.replaceAll('\u00a0', ' '))).toEqual([
    'MeasureNumberTargetState',
    'Alarms an hour0.3at most 6Met',
    'Time with more than ten in ten minutes3%at most 1%Missed ',
    'Open for more than 24 hours7at most 5Missed Alarm centre',
    'Mean time until someone takes it–at most 10 min',
  ])
  expect(table.getByRole('link', { name: 'Alarm centre' }).getAttribute('href')).toBe('/warn/index/warn?state=1')
})

test('[route.warn.index.warn_set, perm.page.warn.index.warn_set] a press sets one channel of one code', async () => {
  const { of } = await show(SettingsScreen, '/warn/index/warn_set', {}, ['warn/index/warn_set'])
  await userEvent.click(await screen.findByRole('checkbox', { name: 'SMS: Stuck' }))
  await waitFor(() => expect(of('/wmWarnSet/edit')[0]?.payload).toEqual({ id: 4, sms: 1 }))
  await userEvent.click(screen.getByRole('combobox', { name: 'Notify after: Stuck' }))
  await userEvent.click(await screen.findByText(/^5.min · 14× in 30 days$/))
  await waitFor(() => expect(of('/wmWarnSet/edit')[1]?.payload).toEqual({ id: 4, notifyAfterS: 300 }))
  await userEvent.click(screen.getByRole('combobox', { name: 'Resolve after: Stuck' }))
  await userEvent.click(await screen.findByText(/^1.min$/))
  await waitFor(() => expect(of('/wmWarnSet/edit')[2]?.payload).toEqual({ id: 4, offDelayS: 60 }))
  expect(screen.getAllByRole('checkbox', { name: /: Stuck$/ })).toHaveLength(7)
  screen.getByText('Not decided yet')
  expect(screen.getAllByText('Notifies no one')).toHaveLength(1)
})
