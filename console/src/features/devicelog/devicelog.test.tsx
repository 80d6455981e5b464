import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import dayjs from 'dayjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { live } from '@/shared/live/live'
import { device, stage } from '@/widgets/testing/test-stage'
import { faultOfStart } from './days'
import { LogsScreen } from './logs-screen'

const LOG = {
  ...{ id: 7, deviceId: 1, deviceCode: 'Kestrel 1', deviceSerialNumber: 'SC0001', kind: 'device', size: 4096 },
  ...{ name: 'robot-2026-11-20-001.log', time: '2026-11-20T12:00:00Z', onRobot: true, uploadState: '', progress: 0 },
  ...{ reason: '', stored: false, storedTime: null, recordingState: '', recordingReason: '', trigger: null },
}
const AROUND = {
  '/device/selectDevicePc': { list: [device(1)], total: 1, pageNum: 1, counts: { idle: 1 } },
  '/device/selectDeviceByDeviceId': device(1),
}

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = (rows: unknown[], at = '/device/log', answers: Record<string, unknown> = {}) =>
  stage(LogsScreen, {
    ...{ at, keys: ['device/log'] },
    answers: {
      ...AROUND,
      '/deviceLog/list': { list: rows, total: rows.length, pageNum: 1 },
      '/deviceLog/listPad': { list: rows, total: rows.length, pageNum: 1 },
      '/deviceLog/searchRecordings': { list: rows, total: rows.length, pageNum: 1 },
      '/deviceLog/navlogList': { list: rows },
      '/deviceLog/upLoadFile': { id: 7 },
      '/deviceLog/cancleUploadFile': {},
      '/deviceLog/deleteDeviceLog': {},
      '/deviceLog/deleteDeviceLogByDate': { count: 2 },
      ...answers,
    },
  })
type Requests = Awaited<ReturnType<typeof open>>
const sent = (requests: Requests, path: string) => requests.of(path).map((request) => request.payload)

test('[route.device.log] [state.upload] each state of an upload has a shape, a word and what can be done', async () => {
  const requests = await open([
    LOG,
    { ...LOG, id: 8, name: 'b.log', uploadState: 'uploading', progress: 25 },
    { ...LOG, id: 9, name: 'c.log', uploadState: 'failed', reason: 'upload_silent' },
    { ...LOG, id: 10, name: 'd.log', uploadState: 'synchronised', stored: true, onRobot: false },
  ])
  const row = async (name: RegExp) => within(await screen.findByRole('row', { name }))
  await userEvent.click((await row(/robot-2026/)).getByRole('button', { name: 'Upload: robot-2026-11-20-001.log' }))
  const running = await row(/b\.log/)
  expect(running.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25')
  await userEvent.click(running.getByRole('button', { name: 'Cancel upload: b.log' }))
  const failed = await row(/c\.log/)
  expect(failed.getByText('The robot gave no sign for three minutes')).toBeTruthy()
  await userEvent.click(failed.getByRole('button', { name: 'Upload again: c.log' }))
  const done = await row(/d\.log/)
  expect(done.getByText('Synchronised')).toBeTruthy()
  expect(done.getByText('Copy only, no longer on the robot')).toBeTruthy()
  expect(done.queryByRole('button', { name: /^Upload/ })).toBeNull()
  const of = { deviceSerialNumber: 'SC0001', kind: 'device' }
  expect(sent(requests, '/deviceLog/upLoadFile')).toEqual([
    { ...of, name: 'robot-2026-11-20-001.log' },
    { ...of, name: 'c.log' },
  ])
  expect(sent(requests, '/deviceLog/cancleUploadFile')).toEqual([{ id: 8 }])
})

test('[rule.date.within7] [rule.date.not_future] refuse a start that no list may have, and do not ask for it', async () => {
  const today = dayjs('2026-11-23')
  expect(['2026-11-23', '2026-11-16', '2026-11-15', '2026-11-24'].map((day) => faultOfStart(day, today))).toEqual([
    undefined,
    undefined,
    'start-within-7',
    'start-not-future',
  ])
  const requests = await open([LOG], '/device/log?from=2020-01-01&to=2020-01-02')
  expect(await screen.findByText('The start must be within the last 7 days')).toBeTruthy()
  await screen.findByText(LOG.name)
  expect(sent(requests, '/deviceLog/list')[0]).toEqual({ currentPage: 1, pageSize: 30, endDate: '2020-01-02' })
})

test('[route.device.log] navigation logs are those of the robot that is chosen', async () => {
  const requests = await open([{ ...LOG, kind: 'navlog' }], '/device/log?kind=navlog')
  expect(await screen.findByText('Choose a robot to see its files')).toBeTruthy()
  expect(sent(requests, '/deviceLog/navlogList')).toEqual([])
})

test('[route.device.log] recordings of all robots say what they were made for, and are searched by it and by place', async () => {
  const alarms = [{ code: '0x0534', content: 'Costmap invalid' }]
  const trigger = { by: 'alarm', time: LOG.time, alarms, mapName: 'jade-1', x: 4, y: -2.5 }
  const row = { ...LOG, kind: 'rosbag', name: 'alarm-1.mcap', trigger }
  const requests = await open([row], '/device/log?kind=rosbag&code=0x0534&near=nowhere')
  const line = within(await screen.findByRole('row', { name: /alarm-1\.mcap/ }))
  expect(line.getByText('Costmap invalid')).toBeTruthy()
  await userEvent.click(line.getByRole('button', { name: 'Same alarm near here: alarm-1.mcap' }))
  await userEvent.click(await screen.findByRole('button', { name: /^Within 5\s*m of a place on jade-1$/ }))
  const payload = { currentPage: 1, pageSize: 30, code: '0x0534' }
  await expect
    .poll(() => sent(requests, '/deviceLog/searchRecordings'))
    .toEqual([payload, { ...payload, mapName: 'jade-1', x: 4, y: -2.5 }, payload])
})

test('[route.device.log] a file that the robot is writing stays, and the dialog says so', async () => {
  const requests = await open([{ ...LOG, kind: 'navlog', name: 'nav.log' }], '/device/log?kind=navlog&device=1', {
    '/deviceLog/rosAndNavDelete': { names: [] },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete on robot: nav.log' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete on robot' }))
  expect(await dialog.findByText('The robot is writing this file, so it stays')).toBeTruthy()
  const of = { deviceSerialNumber: 'SC0001', names: ['nav.log'], kind: 'navlog' }
  expect(sent(requests, '/deviceLog/rosAndNavDelete')).toEqual([of])
})

test('[route.device.log] a copy is deleted once that was confirmed', async () => {
  const requests = await open([{ ...LOG, stored: true, uploadState: 'synchronised' }])
  await userEvent.click(await screen.findByRole('button', { name: /^Delete copy: / }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete copy' }))
  expect(sent(requests, '/deviceLog/deleteDeviceLog')).toEqual([{ id: 7 }])
})

test('[route.device.log] a text log is searched on the server and read page by page', async () => {
  const page = (offset: number) => ({
    list: [{ offset, text: `line at ${offset}` }],
    nextOffset: offset === 0 ? 900 : null,
  })
  const requests = await open([{ ...LOG, stored: true, uploadState: 'synchronised' }], '/device/log', {
    '/deviceLog/read': ({ offset }: Record<string, unknown>) => page(Number(offset)),
  })
  await userEvent.click(await screen.findByRole('button', { name: /^Show lines: / }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText(/line at 0/)
  await userEvent.click(dialog.getByRole('button', { name: 'Later lines' }))
  await dialog.findByText(/line at 900/)
  await userEvent.type(dialog.getByRole('textbox', { name: 'Search the lines' }), 'fault{Enter}')
  await dialog.findByText(/line at 0/)
  expect(sent(requests, '/deviceLog/read')).toEqual([
    { id: 7, text: '', offset: 0 },
    { id: 7, text: '', offset: 900 },
    { id: 7, text: 'fault', offset: 0 },
  ])
})

test('[const.date_range] copies from before a day are deleted only once a day is chosen', async () => {
  await open([LOG])
  await userEvent.click(await screen.findByRole('button', { name: 'Delete by date' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Delete by date: Device log')).toBeTruthy()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
})

test('a recording of sensors opens once it is ready, with its topics and messages of a wrong time', async () => {
  vi.stubGlobal(
    'Worker',
    class {
      postMessage() {}
      terminate() {}
    },
  )
  const recording = {
    ...{ id: 7, name: 'a.bag', deviceId: 1, deviceCode: 'Kestrel 1', deviceSerialNumber: 'SC0001', url: '/api/oss' },
    ...{ start: '2026-11-20T12:00:00Z', end: '2026-11-20T12:00:30Z', count: 301, outside: 1 },
    topics: [
      {
        ...{ name: '/odom', type: 'nav_msgs/Odometry', encoding: 'ros1', schemaEncoding: 'ros1msg' },
        ...{ readable: true, count: 301, outside: 1 },
      },
    ],
  }
  const bag = { ...LOG, kind: 'rosbag', name: 'a.bag', stored: true, uploadState: 'synchronised' }
  await open(
    [
      { ...bag, recordingState: 'ready' },
      { ...bag, id: 8, name: 'b.bag', recordingState: 'converting' },
      { ...bag, id: 9, name: 'c.bag', recordingState: 'failed', recordingReason: 'The bag has no index' },
    ],
    '/device/log?kind=rosbag&device=1',
    { '/deviceLog/openRecording': recording },
  )
  const row = async (name: RegExp) => within(await screen.findByRole('row', { name }))
  expect((await row(/b\.bag/)).getByText('The recording is being prepared')).toBeTruthy()
  expect((await row(/c\.bag/)).getByText('The bag has no index')).toBeTruthy()
  expect((await row(/c\.bag/)).queryByRole('button', { name: /^Open recording/ })).toBeNull()
  await userEvent.click((await row(/a\.bag/)).getByRole('button', { name: 'Open recording: a.bag' }))
  const dialog = within(await screen.findByRole('dialog'))
  const topic = within(await dialog.findByRole('row', { name: /\/odom/ }))
  expect(topic.getByText('nav_msgs/Odometry')).toBeTruthy()
  expect(topic.getByText('301')).toBeTruthy()
  expect(dialog.getByText('30 s')).toBeTruthy()
  expect(dialog.getByText(/With a wrong time: 1\./)).toBeTruthy()
})

test('show a log as it is written, filter and pause it; say its end and what support may not see', async () => {
  const show = vi.spyOn(live, 'show')
  const takers: ((part: object) => void)[] = []
  vi.spyOn(live, 'subscribe').mockImplementation((_, kind, take) => {
    if (kind === 'log') takers.push(take as never)
    return () => undefined
  })
  await open([LOG], '/device/log?device=1', { '/support/ask': {} })
  await userEvent.click(await screen.findByRole('button', { name: 'Live log' }))
  const dialog = within(await screen.findByRole('dialog'))
  const box = await dialog.findByRole('log')
  expect(show).toHaveBeenCalledWith({ log: { id: 1, kind: 'device' } })
  const say = (first: number, lines: string[], state = 'following') =>
    act(() => takers.at(-1)?.({ log: 'device', state, stream: lines.length ? 's' : '', first, lines }))
  say(1, ['a INFO mode idle', 'b WARN fault stuck'])
  say(5, ['c INFO mode idle'])
  expect(box.textContent).toBe('a INFO mode idle\nb WARN fault stuck\n⋯ Lines left out: 2\nc INFO mode idle\n')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Only lines with' }), 'warn')
  expect(box.textContent).toBe('b WARN fault stuck\n')
  await userEvent.click(dialog.getByRole('button', { name: 'Pause' }))
  say(6, ['d WARN later'])
  expect(box.textContent).toBe('b WARN fault stuck\n')
  expect(dialog.getByRole('status').textContent).toBe('Live · New lines: 1')
  await userEvent.click(dialog.getByRole('button', { name: 'Resume' }))
  expect(box.textContent).toBe('b WARN fault stuck\nd WARN later\n')
  say(0, [], 'ended')
  expect(dialog.getByRole('status').textContent).toBe('You may no longer see this log')
  expect(dialog.queryByRole('log')).toBeNull()
  say(0, [], 'closed')
  expect(await dialog.findByRole('button', { name: 'Request access' })).toBeTruthy()
})
