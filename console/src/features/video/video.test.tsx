import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { device, stage } from '@/widgets/testing/test-stage'
import { clock } from '@/widgets/video/remaining'
import { VideoScreen } from './video-screen'

const RECORDING = {
  ...{ id: 3, name: 'front-20261123-100000.mp4', camera: 'front', size: 4096, url: 'blob:play', downloadUrl: 'blob:x' },
  ...{ start: '2026-11-23T10:00:00Z', end: '2026-11-23T10:01:05Z', reason: 'person' },
}
const RUNNING = {
  ...{ camera: 'front', remainingSec: 200, recording: false, reason: 'person', private: false },
  watchers: [{ name: 'Bright Floors', since: '2026-11-23T10:00:00Z' }],
}

const RULE = { cameras: [], days: [], startTime: '', endTime: '', alarmLevel: 0, alarmSec: 120 }
const SPACE = { spaceUsed: 4 * 2 ** 30, spaceLimit: 50 * 2 ** 30 }

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

const open = (answers: Record<string, unknown> = {}, keys = ['device/videoHistory', 'device/videoHistory/live']) =>
  stage(VideoScreen, {
    ...{ at: '/device/videoHistory?device=1', keys },
    answers: {
      '/device/selectDevicePc': { list: [device(1)], total: 1, pageNum: 1, counts: { idle: 1 } },
      '/device/selectDeviceByDeviceId': device(1),
      '/qiniuQvs/cameraList': { list: ['front', 'rear'] },
      '/qiniuQvs/liveList': { list: [] },
      '/qiniuQvs/recordList': { list: [RECORDING] },
      '/qiniuQvs/recordRule': { ...RULE, ...SPACE },
      '/qiniuQvs/recordRuleUpdate': {},
      '/qiniuQvs/clipList': { list: [] },
      '/qiniuQvs/viewList': { list: [], total: 0, pageNum: 0 },
      '/qiniuQvs/recordDel': {},
      '/qiniuQvs/startStream': { url: 'http://video/live', remainingSec: 300 },
      '/qiniuQvs/record': {},
      ...answers,
    },
  })

test('[rule.video.remaining] show what is left of the five minutes and who watches, and renew it', async () => {
  const requests = await open({ '/qiniuQvs/liveList': { list: [RUNNING] } })
  expect((await screen.findByRole('timer')).textContent).toMatch(/^3:(20|19) left$/)
  expect(screen.getByText('Watching now: Bright Floors')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Renew' }))
  await waitFor(() =>
    expect(requests.of('/qiniuQvs/startStream').map(({ payload }) => payload)).toEqual([
      { deviceSerialNumber: device(1).deviceSerialNumber, camera: 'front' },
    ]),
  )
  expect([0, 9, 60, 300].map(clock)).toEqual(['0:00', '0:09', '1:00', '5:00'])
})

test('distinguish pictures that broke off from those that were stopped', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Start live video' }))
  expect(await screen.findByText(/^Live video has ended/)).toBeTruthy()
})

test('say that a room has no pictures, and save none', async () => {
  await open({ '/qiniuQvs/liveList': { list: [{ ...RUNNING, recording: true, private: true }] } })
  await userEvent.click(await screen.findByRole('button', { name: 'Start live video' }))
  expect(await screen.findByText(/^No picture in this room/)).toBeTruthy()
  expect(screen.queryByText('Recording in progress')).toBeNull()
  expect(screen.getByLabelText('Live video: front').dataset.hidden).toBe('true')
})

test('without the key nobody sees the live picture, and the recordings stay', async () => {
  await open({}, ['device/videoHistory'])
  expect(await screen.findByRole('row', { name: /front-20261123/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Start live video' })).toBeNull()
})

test('a robot without a camera says so', async () => {
  await open({ '/qiniuQvs/cameraList': { list: [] } })
  expect(await screen.findByText('This robot has no camera')).toBeTruthy()
})

test('a recording has its length, and is deleted once that is confirmed', async () => {
  const requests = await open()
  const row = within(await screen.findByRole('row', { name: /front-20261123/ }))
  expect(row.getByText('1:05')).toBeTruthy()
  await userEvent.click(row.getByRole('button', { name: /^Delete: / }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() =>
    expect(requests.of('/qiniuQvs/recordDel').map(({ payload }) => payload)).toEqual([{ fileJsonArr: [{ id: 3 }] }]),
  )
})

const CLIP = {
  ...{ id: 7, name: 'front-20261123-100005-clip.mp4', url: 'http://video/clip?ticket=x', userName: 'Bright Floors' },
  ...{ start: '2026-11-23T10:00:05Z', end: '2026-11-23T10:00:25Z', expires: '2026-11-24T10:00:00Z' },
}

test('a clip of the recording that plays is shared by a link for as long as is chosen', async () => {
  const requests = await open({ '/qiniuQvs/clipAdd': CLIP })
  const row = within(await screen.findByRole('row', { name: /front-20261123/ }))
  await userEvent.click(row.getByRole('button', { name: /^Play: / }))
  const dialog = within(await screen.findByRole('dialog'))
  const player = dialog.getByLabelText<HTMLVideoElement>('front-20261123-100000.mp4')
  player.currentTime = 5
  await userEvent.click(dialog.getByRole('button', { name: 'Start here' }))
  player.currentTime = 25
  await userEvent.click(dialog.getByRole('button', { name: 'End here' }))
  expect(dialog.getByText('Clip: 0:05 to 0:25')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: '7 days' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Create link' }))
  expect(await dialog.findByRole('link', { name: CLIP.url })).toBeTruthy()
  expect(requests.of('/qiniuQvs/clipAdd').map(({ payload }) => payload)).toEqual([
    { id: 3, fromS: 5, lengthS: 20, hours: 168 },
  ])
})

test('a shared clip says until when, is revoked, and who opened it by the link has no name', async () => {
  const view = { id: 1, name: '', kind: 'clip', subject: CLIP.name, time: CLIP.start, endTime: null }
  const requests = await open({
    '/qiniuQvs/clipList': { list: [CLIP] },
    '/qiniuQvs/clipDel': {},
    '/qiniuQvs/viewList': { list: [view], total: 1, pageNum: 1 },
  })
  expect(await screen.findByText('Anyone with the link')).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: `Revoke link: ${CLIP.name}` }))
  await waitFor(() => expect(requests.of('/qiniuQvs/clipDel').map(({ payload }) => payload)).toEqual([{ id: 7 }]))
})

test('show in a line when cameras record by themselves, and change it in a form', async () => {
  const rule = { ...RULE, cameras: ['rear'], days: [1, 3], startTime: '22:00', endTime: '06:00', alarmLevel: 3 }
  const requests = await open({ '/qiniuQvs/recordRule': { ...rule, ...SPACE } })
  expect(await screen.findByText('Plan: Mon, Wed, 22:00–06:00')).toBeTruthy()
  expect(screen.getByText('Alarms from level Major: 2 min each')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  const until = dialog.getByLabelText('Until')
  await userEvent.clear(until)
  await userEvent.type(until, '05:30{enter}')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(requests.of('/qiniuQvs/recordRuleUpdate').map(({ payload }) => payload)).toEqual([
      { ...rule, endTime: '05:30', deviceSerialNumber: device(1).deviceSerialNumber },
    ]),
  )
})

test.each([
  [SPACE.spaceUsed, '4 GB of 50 GB used'],
  [49 * 2 ** 30, '49 GB of 50 GB used: almost full'],
  [SPACE.spaceLimit, '50 GB of 50 GB used: storage is full'],
])('how much room recordings take, and that it is full, is said: %d', async (spaceUsed, text) => {
  await open({ '/qiniuQvs/recordRule': { ...RULE, ...SPACE, spaceUsed } })
  expect(await screen.findByText(text)).toBeTruthy()
})

test('say that there is no rule, and allow a change only with the right', async () => {
  await open({}, ['device/videoHistory'])
  expect(await screen.findByText(/^Off\. Cameras are recorded only/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
})

test('recordings are listed by why they began', async () => {
  const requests = await open()
  await userEvent.selectOptions(await screen.findByLabelText('Reason'), 'Alarm')
  await waitFor(() => expect(requests.of('/qiniuQvs/recordList').at(-1)?.payload).toMatchObject({ reason: 'alarm' }))
})

test('let nobody end what a plan records', async () => {
  await open({ '/qiniuQvs/liveList': { list: [{ ...RUNNING, recording: true, reason: 'plan' }] } })
  expect(await screen.findByText('Recording by plan')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Stop recording' })).toBeNull()
})
