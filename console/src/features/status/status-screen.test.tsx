import { screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { device, refusal, stage } from '@/widgets/testing/test-stage'
import { StatusScreen } from './status-screen'

const BOARD = {
  ...{ cleanedToday: 14_820, plannedToday: 18_400, hours: Array.from({ length: 24 }, () => 10), floors: [] },
  history: { progress: 1, done: true },
  sites: [
    {
      site: 'Kestrel Quay Hotel',
      zone: 'Europe/London',
      area: 'GB',
      deviceIds: [1],
      ...{ cleanedToday: 1, plannedToday: 2 },
      week: [null, 0.984],
      weekCoverage: 0.984,
    },
  ],
}
const COUNT = { total: 3, online: 3, offline: 0, modes: { help: 1, paused: 1, cleaning: 1 } }
const answers = (board: unknown, list: unknown[] = []) => ({
  '/board/overview': board,
  '/device/selectDeviceCount': COUNT,
  '/device/selectDevicePc': { list, total: list.length, pageNum: 1, counts: {} },
})

afterEach(() => vi.unstubAllGlobals())

test('[route.index] each state is a link to the device list with its filter', async () => {
  await stage(StatusScreen, { at: '/index', answers: answers(BOARD) })
  const states = await screen.findByRole('list', { name: 'Robots by state' })
  expect((await within(states).findByRole('link', { name: /Needs help/ })).getAttribute('href')).toBe(
    '/device/index?mode=help',
  )
})

test('[route.index] put who waits longest first, with a link to its control page', async () => {
  const now = Date.now()
  const list = [
    device(1, { mode: 'help', help: '0x0205', taskName: 'Day clean', progress: 0.31, modeSince: now - 6 * 60_000 }),
    device(2, { mode: 'paused', modeSince: now - 14 * 60_000 }),
    device(3, { mode: 'cleaning' }),
  ]
  await stage(StatusScreen, { at: '/index', answers: answers(BOARD, list) })
  const needs = within(await screen.findByRole('list', { name: 'Needs attention' })).getAllByRole('listitem')
  expect(needs.map((need) => need.textContent?.replaceAll('\u00a0', ' '))).toEqual([
    expect.stringContaining('Paused14 min'),
    expect.stringContaining('Path replanning failed6 minDay clean waiting at 31%'),
  ])
  expect(
    within(needs[0] as HTMLElement)
      .getByRole('link', { name: 'Open control page' })
      .getAttribute('href'),
  ).toBe('/control/v3/2')
})

test('[route.index] history in the making has its line; done, it has none', async () => {
  await stage(StatusScreen, { at: '/index', answers: answers({ ...BOARD, history: { progress: 0.4, done: false } }) })
  expect(await screen.findByText('Creating demo history: 40%')).toBeDefined()
})

test.each([
  ['of 20 m² planned', 15],
  ['20 m² planned', 30], // more than all of it is no part of it
])('today says “%s” where so much was cleaned', async (words, cleanedToday) => {
  await stage(StatusScreen, { at: '/index', answers: answers({ ...BOARD, cleanedToday, plannedToday: 20 }) })
  const line = await screen.findByText(/planned$/)
  expect(line.textContent?.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(words)
})

test('a status page that cannot be had says why and offers another try', async () => {
  await stage(StatusScreen, { at: '/index', answers: answers(() => refusal('Not for you')) })
  expect(await screen.findByText('Not for you')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

const LOW = { low: true, free: 3.2 * 2 ** 30, reserve: 2 * 2 ** 30 }

test('[route.index] an administrator sees that the disk is low, and when uploads are refused', async () => {
  await stage(StatusScreen, { at: '/index', level: 1, answers: { ...answers(BOARD), '/oss/diskSpace': LOW } })
  expect((await screen.findByRole('alert')).textContent).toContain('almost full (3.2 GB free)')
})

test('[route.index] ask for the disk only as an administrator', async () => {
  const { of } = await stage(StatusScreen, { at: '/index', answers: { ...answers(BOARD), '/oss/diskSpace': LOW } })
  await screen.findByRole('list', { name: 'Robots by state' })
  expect(of('/oss/diskSpace')).toEqual([])
})
