import { fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { Player } from './player'
import type { Question, Reply } from './protocol'

const RECORDING = {
  ...{ id: 7, name: 'a.bag', deviceId: 1, deviceCode: 'Kestrel 1', deviceSerialNumber: 'SC0001', url: '/ended' },
  ...{ start: '2026-11-20T12:00:00Z', end: '2026-11-20T12:00:30Z', count: 301, outside: 0 },
  viewer: false,
  topics: ['/odom', '/scan'].map((name) => ({
    ...{ name, type: 'a/B', encoding: 'ros1', schemaEncoding: 'ros1msg', readable: name === '/odom' },
    ...{ count: 301, outside: 0 },
  })),
}

const BITMAP: ImageBitmap = { width: 4, height: 3, close: () => undefined }
let questions: Question[] = []

/** What the worker would say: the address of the start has ended, the next is good. */
function replyTo(question: Question): Omit<Reply, 'number'> {
  if (question.source.url === '/ended') return { fault: '410', stale: true }
  switch (question.kind) {
    case 'fields':
      return { answer: ['pose.x', 'pose.y'] }
    case 'series':
      return question.path === 'pose.y' ? { fault: 'no' } : { answer: { seconds: [0, 1, 2], values: [0.5, 1, 1.5] } }
    case 'places':
      return { answer: { seconds: [0, 1], x: [0, 1], y: [0, 0], yaw: [0, 0] } }
    case 'scan':
      return { answer: null }
    case 'picture':
      if (question.topic === '/broken') return { fault: 'no' }
      return { answer: question.second < 1 ? null : BITMAP }
    case 'message':
      return { answer: question.second < 0.1 ? null : `at ${question.second}` }
  }
}

beforeEach(() => {
  questions = []
  vi.stubGlobal(
    'Worker',
    class {
      onmessage: ((event: { data: Reply }) => void) | undefined
      postMessage(question: Question) {
        questions.push(question)
        queueMicrotask(() => this.onmessage?.({ data: { number: question.number, ...replyTo(question) } }))
      }
      terminate() {}
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

const open = (at: string, answers: Record<string, unknown> = {}, topics = RECORDING.topics, viewer = false) =>
  stage(() => <Player recording={{ ...RECORDING, topics, viewer }} />, {
    ...{ at, keys: ['device/log'] },
    answers: { '/deviceLog/openRecording': { ...RECORDING, url: '/new' }, ...answers },
  })

test('choose a value, draw it over time and move the second, with its message', async () => {
  await open('/device/log?recording=7')
  expect(await screen.findByText('No message until this second')).toBeTruthy()
  await userEvent.click(screen.getByRole('combobox', { name: 'Values' }))
  await userEvent.click(await screen.findByText('pose.x', { selector: 'bdi' }))
  expect(await screen.findByText('/odom pose.x')).toBeTruthy()
  expect(screen.getByText(/0\.5 – 1\.5/)).toBeTruthy()
  fireEvent.change(screen.getByRole('slider', { name: 'Second' }), { target: { value: '0.1' } })
  expect(await screen.findByText('at 0.1')).toBeTruthy()
})

const camera = (name: string) => ({
  ...{ name, type: 'sensor_msgs/Image', encoding: 'ros1', schemaEncoding: 'ros1msg', readable: true },
  ...{ count: 30, outside: 0 },
})

test('show what a camera saw at the second, and choose another camera', async () => {
  const drawImage = vi.fn()
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage } as never)
  await open('/device/log?recording=7&second=1.5', {}, [...RECORDING.topics, camera('/front'), camera('/broken')])
  expect(await screen.findByRole('img', { name: 'Camera /front' })).toBeTruthy()
  expect(drawImage).toHaveBeenCalledWith(BITMAP, 0, 0)
  fireEvent.change(screen.getByRole('slider', { name: 'Second' }), { target: { value: '0.5' } })
  expect(await screen.findByText('No picture until this second')).toBeTruthy()
  await userEvent.click(screen.getByRole('combobox', { name: 'Camera' }))
  await userEvent.click(await screen.findByText('/broken', { selector: '.ant-select-item bdi' }))
  expect(await screen.findByText('The pictures of this camera cannot be shown')).toBeTruthy()
})

test('a part around the second is downloaded, of the topics that are chosen', async () => {
  const requests = await open('/device/log?recording=7&second=12', { '/deviceLog/cutUrl': '#part' })
  await userEvent.click(await screen.findByRole('button', { name: 'Download a part' }))
  fireEvent.change(screen.getByRole('spinbutton', { name: 'To second' }), { target: { value: '20.5' } })
  await userEvent.click(screen.getByRole('combobox', { name: 'Topics' }))
  await userEvent.click(await screen.findByText('/scan', { selector: '.ant-select-item bdi' }))
  await userEvent.click(screen.getByRole('button', { name: 'Download' }))
  await vi.waitFor(() => expect(location.hash).toBe('#part'))
  expect(requests.of('/deviceLog/cutUrl').map(({ payload }) => payload)).toEqual([
    { id: 7, startTime: '2026-11-20T12:00:02.000Z', endTime: '2026-11-20T12:00:20.500Z', topics: ['/scan'] },
  ])
})

test('Lichtblick opens at the second, and is offered where there is one', async () => {
  const windows = vi.spyOn(window, 'open').mockReturnValue(null)
  await open('/device/log?recording=7&second=2', { '/deviceLog/viewerUrl': 'https://l/?ds=x' }, undefined, true)
  await userEvent.click(await screen.findByRole('button', { name: 'Open in Lichtblick' }))
  const url = 'https://l/?ds=x&time=2026-11-20T12%3A00%3A02.000Z'
  await vi.waitFor(() => expect(windows).toHaveBeenCalledWith(url, '_blank', 'noopener'))
})

test('an address that has ended is asked for anew, and the same is asked again', async () => {
  const requests = await open('/device/log?recording=7&second=2')
  expect(await screen.findByText('at 2')).toBeTruthy()
  expect(requests.of('/deviceLog/openRecording').length).toBeGreaterThan(0)
  expect(questions.at(-1)?.source.url).toBe('/new')
  expect(screen.queryByRole('button', { name: 'Open in Lichtblick' })).toBeNull()
})

test('the address opens values and second; what cannot be read says so', async () => {
  await open('/device/log?recording=7&second=1.5&value=%2Fodom+pose.x&value=%2Fodom+pose.y&value=wrong')
  expect(await screen.findByText('/odom pose.x')).toBeTruthy()
  expect(await screen.findByText('The messages of this topic cannot be read')).toBeTruthy()
  expect(screen.getByText(/· 1$/)).toBeTruthy()
})

const REPLAY = {
  ...{ time: [0], x: [1], y: [1], yaw: [0], battery: [50], liquid: [50], modes: [], marks: [], map: null, mapName: '' },
  ...{ mapKnown: false, closed: false, ownerUserId: 3, startTime: RECORDING.start, endTime: RECORDING.end },
}

test.each([
  [REPLAY, 'The map of that time is not known, so there is no floor to draw on'],
  [{ ...REPLAY, closed: true }, 'Request access'],
])('without a floor, or where support is kept out, the player says so', async (replay, words) => {
  await open('/device/log?recording=7&second=2', { '/deviceLog/replayRecording': replay })
  expect(await screen.findByText(words)).toBeTruthy()
})
