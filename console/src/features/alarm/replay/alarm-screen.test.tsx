import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { AlarmScreen } from './alarm-screen'

const RAISED = Date.parse('2026-11-23T08:00:30Z')
const ALARM = {
  ...{ warnId: 7, deviceId: 1, deviceSerialNumber: 'SC0001', deviceCode: 'Kestrel 1', protocolVersion: 3 },
  ...{ building: 'Quay', floor: '1', zone: 'UTC', code: 'stuck', type: 2, level: 3, content: 'Stuck', state: 1 },
  ...{ count: 1, time: new Date(RAISED).toISOString(), lastTime: new Date(RAISED).toISOString(), clearedTime: null },
  ...{ resolveDate: null, resolvedBy: '', takenUserId: null, takenBy: '', takenTime: null, snoozedUntil: null },
  ...{ groupId: null, groupCause: '', groupName: '', groupCount: 0, detail: '', mapName: '', run: '' },
  ...{ x: null, y: null, yaw: null },
}
const REPLAY = {
  ...{ startTime: new Date(RAISED - 30_000).toISOString(), endTime: new Date(RAISED + 10_000).toISOString() },
  ...{ time: [0, 30_000], x: [0, 6], y: [0, 0], yaw: [0, 0], battery: [80, 79], liquid: [50, 50] },
  modes: [
    { time: 0, mode: 'cleaning' },
    { time: 30_000, mode: 'emergency' },
  ],
  ...{ marks: [], map: null, closed: false, ownerUserId: 3 },
}
const BOX = { id: 5, name: 'alarm-1.mcap', time: ALARM.time, by: 'alarm', uploadState: 'synchronised', ready: true }
const RECORDINGS = [BOX, { ...BOX, id: 6, by: 'order', uploadState: '', ready: false }]
const open = (replay: object, list: object[] = [ALARM], keys = ['index/realWarn']) =>
  stage(AlarmScreen, {
    at: '/index/realWarn/7',
    path: '/index/realWarn/:warnId',
    keys,
    answers: {
      '/warn/list': { list, total: list.length, pageNum: 1 },
      '/warn/replay': replay,
      '/warn/listNotifications': { list: [] },
      '/warn/recordings': { list: RECORDINGS },
      '/warn/takeWarn': {},
      '/warn/resumeWarn': { count: 1 },
    },
  })

afterEach(() => vi.unstubAllGlobals())

test('[feat.area.reports] an alarm opens at its moment, and says what the robot did then', async () => {
  const { of } = await open(REPLAY)
  const line = await screen.findByRole('slider', { name: 'Time of the replay' })
  expect(line.getAttribute('aria-valuetext')).toContain('Emergency stop · battery 79% · disinfectant 50%')
  fireEvent.change(line, { target: { value: 0 } })
  expect(line.getAttribute('aria-valuetext')).toMatch(/cleaning · 0\.2\s*m\/s · battery 80%/i)
  expect(screen.getByText('No map is stored for this alarm.')).toBeDefined()
  expect(of('/warn/list')[0]?.payload).toEqual({ warnId: 7, currentPage: 1, pageSize: 1 })
})

test('take and resolve an alarm with the right', async () => {
  await open(REPLAY)
  await screen.findByRole('slider')
  expect(screen.queryByRole('button', { name: 'Resolve alarm' })).toBeNull()
  cleanup()
  const { of } = await open(REPLAY, [ALARM], ['index/realWarn', 'warn/index/warn/resume'])
  await userEvent.click(await screen.findByRole('button', { name: 'I am on it: Stuck, Kestrel 1' }))
  await waitFor(() =>
    expect(of('/warn/takeWarn')[0]?.payload).toEqual({ deviceSerialNumber: 'SC0001', warnId: 7, on: true }),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Resolve alarm' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Resolve alarm' }))
  await waitFor(() => expect(of('/warn/resumeWarn')[0]?.payload).toEqual({ deviceSerialNumber: 'SC0001', warnId: 7 }))
})

test('without a stored way it says so', async () => {
  const empty = { time: [], x: [], y: [], yaw: [], battery: [], liquid: [], modes: [] }
  await open({ ...REPLAY, ...empty })
  expect(await screen.findByText(/way at the time is not stored/)).toBeDefined()
})

test('say that an alarm outside the scope is missing', async () => {
  await open(REPLAY, [])
  expect(await screen.findByText(/^This alarm does not exist/)).toBeDefined()
})

test('the black box of an alarm leads to the recording on the floor, and to those of the same place', async () => {
  const placed = { ...ALARM, code: '0x0534', mapName: 'jade 1', x: 4, y: -2.5 }
  await open(REPLAY, [placed], ['index/realWarn', 'device/log'])
  const link = await screen.findByRole('link', { name: 'Open on the floor' })
  expect(link.getAttribute('href')).toBe('/device/log?kind=rosbag&recording=5')
  expect(screen.getByText('Still on the robot')).toBeDefined()
  const near = screen.getByRole('link', { name: 'Recordings of this alarm at this place' })
  expect(near.getAttribute('href')).toBe('/device/log?kind=rosbag&code=0x0534&map=jade+1&near=4.00%2C-2.50')
  cleanup()
  await open(REPLAY)
  expect(await screen.findByText('Recorded by the robot for this alarm')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Open on the floor' })).toBeNull()
})
