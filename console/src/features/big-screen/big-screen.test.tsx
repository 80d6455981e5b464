import { act, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useSessionStore } from '@/shared/session/session'
import { stage } from '@/widgets/testing/test-stage'
import { BigScreen } from './big-screen'
import { floorsOfTurn } from './floor-tiles'
import { isDue, isNight } from './upkeep'
import { placeSites, WIDTH, windowOf } from './wall-map-layout'

const DAY = 86_400_000
const site = (name: string, longitude: number, latitude: number, devices = 1) => ({
  site: name,
  ...{ longitude, latitude, devices, needy: 0, cleaned: 10 },
})
const SCREEN = {
  name: 'Harbour Robotics',
  month: [
    { date: '2026-11-01', cleaned: 100 },
    { date: '2026-11-02', cleaned: 50 },
  ],
  alarms: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ date: `2026-11-0${day}`, alarms: day === 7 ? 2 : 0, notices: 1 })),
  helpS: 240,
  sites: [site('Kestrel Quay', 10, 53.5, 5)],
  needs: [
    {
      ...{ deviceId: 1, deviceCode: 'Gate M-04', site: 'Jade Gate', mode: 'help', modeName: '', help: '0x0205' },
      modeSince: Date.now() - 14 * 60_000,
    },
  ],
  events: [
    {
      ...{ warnId: 3, time: '2026-11-02T14:31:00Z', type: 1, content: 'Disinfectant low', deviceCode: 'L1-A' },
      zone: 'Europe/Berlin',
    },
  ],
}
const BOARD = {
  ...{ cleanedToday: 14_820, plannedToday: 18_400, hours: [], floors: [], sites: [{ zone: 'UTC' }] },
  history: { progress: 1, done: true },
}
const answers = { '/board/overview': BOARD, '/board/bigScreen': SCREEN, '/world/layers': { countries: null } }

afterEach(() => vi.unstubAllGlobals())

test('[route.bigScreen] the screen says who waits, where and for how long', async () => {
  await stage(BigScreen, { at: '/bigScreen', answers })
  const needs = within(await screen.findByRole('list', { name: 'Needs attention' }))
  expect(needs.getByRole('listitem').textContent?.replaceAll('\u00a0', ' ')).toBe(
    'Path replanning failedGate M-04 · Jade Gate14 min',
  )
  expect(screen.getByRole('list', { name: 'Latest alarms and notices' }).textContent).toContain('15:31')
})

test.each([
  ['somebody who is logged in', undefined, ['Gate M-04: Path replanning failed']],
  ['a link for a wall', true as const, []],
])('a robot opens its card for %s', async (_, wall, names) => {
  await stage(BigScreen, { at: '/bigScreen', answers })
  act(() => useSessionStore.setState(({ session }) => ({ session: session && { ...session, ...(wall && { wall }) } })))
  await screen.findByRole('list', { name: 'Needs attention' })
  const cards = screen.queryAllByRole('button', { expanded: false })
  expect(cards.map((card) => card.getAttribute('aria-label'))).toEqual(names)
})

test('the day stands against its plan, and the month is the sum of its days', async () => {
  await stage(BigScreen, { at: '/bigScreen', answers })
  expect(await screen.findByText('81% of 18,400 m² planned')).toBeDefined()
  expect(screen.getByText('150 m²')).toBeDefined()
  expect(screen.getByText('2 alarms, 7 notices')).toBeDefined()
})

test('each tile says how old what it shows is', async () => {
  await stage(BigScreen, { at: '/bigScreen', answers })
  await screen.findByRole('list', { name: 'Needs attention' })
  const tiles = [...document.querySelectorAll('section')].filter((section) => section.querySelector('header'))
  const titles = tiles.map((tile) => tile.querySelector('h2')?.textContent)
  expect(titles).toEqual(['Cleaned today', 'Sites', 'Needs attention', 'Floors', 'Alarms, last 7 days'])
  const ages = tiles.map((tile) => within(tile).getByTitle('Last updated').lastChild?.textContent ?? '')
  expect(ages.every((age) => Number.parseInt(age, 10) < 10)).toBe(true)
})

test('a screen whose picture stalled is loaded anew, and each once a night', () => {
  const noon = new Date(2026, 10, 2, 12).getTime()
  expect(isDue(noon, noon - DAY / 24, noon - 5000)).toBe(false)
  expect(isDue(noon, noon - DAY / 24, noon - 61_000)).toBe(true)
  expect(isDue(noon, noon - 30_000, 0)).toBe(false)
  expect(isDue(new Date(2026, 10, 3, 3, 59).getTime(), noon, new Date(2026, 10, 3, 3, 59).getTime())).toBe(false)
  expect(isDue(new Date(2026, 10, 3, 4).getTime(), noon, new Date(2026, 10, 3, 4).getTime())).toBe(true)
})

test('night is from nine in the evening to six', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => isNight(new Date(2026, 0, 1, hour)))
  expect(hours).toEqual([0, 1, 2, 3, 4, 5, 21, 22, 23])
})

test('each floor has its turn', () => {
  expect(floorsOfTurn([1, 2], 5)).toEqual([1, 2])
  const turns = [0, 1, 2, 3].map((turn) => floorsOfTurn([1, 2, 3, 4, 5, 6, 7], turn))
  expect(turns).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [7, 1, 2],
    [1, 2, 3],
  ])
})

test('the map shows all sites, joins those that stand together, and lays no words over others', () => {
  const sites = [site('A', 10, 53.5, 5), site('B', 10.01, 53.5, 2), site('C', 20, 53.4), site('D', 121, 31)]
  const view = windowOf(sites)
  const spots = placeSites(sites, view)
  expect(spots.map(({ name, sites: together, devices }) => [name, together, devices])).toEqual([
    ['A', 2, 7],
    ['C', 1, 1],
    ['D', 1, 1],
  ])
  for (const { x, y } of spots) {
    expect(x).toBeGreaterThan(view.x)
    expect(x).toBeLessThan(view.x + view.width)
    expect(y).toBeGreaterThan(view.y)
    expect(y).toBeLessThan(view.y + view.height)
  }
  const places = spots.flatMap(({ y, words }) => (words ? [y / (view.width / WIDTH) + words.shift] : []))
  expect(new Set(places).size).toBe(places.length)
})

test('without a place the whole world is shown', () => {
  expect(windowOf([]).width).toBe(1000)
})
