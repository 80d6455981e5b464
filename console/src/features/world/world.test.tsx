import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { connectLive } from '@/widgets/testing/test-live'
import { stage } from '@/widgets/testing/test-stage'
import { labels, unwrapped } from '@/widgets/world/borders'
import { mercator } from '@/widgets/world/outline'
import { countsOf, gridded, inCell, modeChanges, type Placed, worst } from './places'
import { baseOf } from './style'
import { WorldScreen } from './world-screen'

afterEach(() => vi.unstubAllGlobals())

const robot = (deviceId: number, change: Partial<Placed> = {}): Placed => ({
  deviceId,
  deviceCode: `Robot ${deviceId}`,
  deviceSerialNumber: `SC000${deviceId}`,
  ...{ protocolVersion: 3, address: 'Quay Hotel', area: 'GB', latitude: 51.5, longitude: 0, mode: 'idle' },
  ...change,
})
const FLEET = [
  robot(1, { mode: 'help' }),
  robot(2),
  robot(3, { latitude: 31.2, longitude: 121.5, area: 'CN', mode: 'offline' }),
  robot(4, { latitude: null, longitude: null }),
]

/** jsdom draws no WebGL, so this is the plain map. */
const show = (at = '/device/deviceAmap') =>
  stage(WorldScreen, {
    at,
    keys: ['device/deviceAmap', 'device_control/index'],
    answers: {
      '/device/selectDevicePlaces': { list: FLEET },
      '/world/layers': { countries: { type: 'FeatureCollection', features: [] }, provinces: null },
      '/device/selectOwnUser': { list: [] },
    },
  })

test('[route.device.deviceAmap] robots stand together with the state that needs somebody most, and as a list', async () => {
  await show()
  expect(await screen.findByRole('button', { name: '2 robots: Needs help 1, Idle 1' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Robot 3: Offline' })).toBeDefined()
  expect(screen.getAllByRole('listitem')).toHaveLength(4)
  expect(screen.getByRole('link', { name: 'Robot 1' }).getAttribute('href')).toBe('/control/v3/1')
  await userEvent.click(screen.getByRole('button', { name: '2 robots: Needs help 1, Idle 1' }))
  expect(screen.getAllByRole('listitem').map((line) => within(line).getByRole('link').textContent)).toEqual([
    'Robot 1',
    'Robot 2',
  ])
})

test('update the activity of robots without reading the list again', async () => {
  const server = await connectLive()
  const { of } = await show()
  await screen.findByRole('button', { name: 'Robot 3: Offline' })
  server.fleet({ help: [3], cleaning: [1, 4], idle: [2] })
  expect(await screen.findByRole('button', { name: 'Robot 3: Needs help' })).toBeDefined()
  expect(screen.getByRole('button', { name: '2 robots: Cleaning 1, Idle 1' })).toBeDefined()
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Robot 3',
    'Robot 1',
    'Robot 4',
    'Robot 2',
  ])
  server.stale('state')
  expect(of('/device/selectDevicePlaces')).toHaveLength(1)
  server.close()
})

test('a map that has the robots gets what changed of them, and all of them where one came or moved', () => {
  const [first, second, third, unplaced] = FLEET as [Placed, Placed, Placed, Placed]
  const changed = { ...first, mode: 'idle' as const }
  expect(modeChanges(FLEET, FLEET)).toEqual([])
  expect(modeChanges(FLEET, [{ ...unplaced, mode: 'help' }, third, second, changed])).toEqual([
    { id: 1, addOrUpdateProperties: [{ key: 'mode', value: 'idle' }] },
  ])
  expect(modeChanges(FLEET, [first, second, third])).toBeUndefined()
  expect(modeChanges(FLEET, [first, second, third, { ...unplaced, latitude: 1, longitude: 1 }])).toBeUndefined()
})

test('robots without a place are counted and listed, and the filter stands in the address', async () => {
  const { router } = await show()
  await userEvent.click(await screen.findByRole('button', { name: 'No location: 1' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  expect(router.state.location.search).toBe('?place=none')
  await userEvent.click(screen.getByRole('button', { name: 'Offline 1' }))
  expect(router.state.location.search).toBe('?mode=offline&place=none')
})

test('state and owner come from the address', async () => {
  const { of } = await show('/device/deviceAmap?mode=help&userId=7')
  expect(await screen.findByRole('button', { name: 'Robot 1: Needs help' })).toBeDefined()
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  expect(of('/device/selectDevicePlaces')[0]?.payload).toEqual({ userId: 7 })
})

test('the state of a cluster is the one that needs somebody most', () => {
  expect(worst(countsOf(FLEET))).toBe('help')
  expect(worst({ offline: 3, charging: 1 })).toBe('charging')
})

test('ten thousand robots are clustered within a frame or two', () => {
  const many = Array.from({ length: 10_000 }, (_, n) =>
    robot(n, { latitude: (n % 120) - 60, longitude: (n % 340) - 170 }),
  )
  const began = performance.now()
  const spots = gridded(many, 36)
  expect(performance.now() - began).toBeLessThan(200)
  expect(spots.reduce((sum, { count }) => sum + count, 0)).toBe(10_000)
  const [first] = spots
  expect(inCell(many, 36, first?.key ?? '')).toHaveLength(first?.count ?? -1)
})

test('the middle of the map is the equator at Greenwich', () => {
  expect(mercator(0, 0)).toEqual([0.5, 0.5])
  expect(mercator(180, 90)[0]).toBe(1)
})

test('a ring that crosses 180° goes on there, and one round the pole is closed along it', () => {
  expect(
    unwrapped([
      [179, 60],
      [-179, 60],
      [-179, 61],
      [179, 60],
    ]).map(([x]) => x),
  ).toEqual([179, 181, 181, 179])
  const round = unwrapped([
    [-180, -80],
    [-60, -75],
    [60, -75],
    [179, -80],
    [-180, -80],
  ])
  expect(round.slice(-3)).toEqual([
    [180, -90],
    [-180, -90],
    [-180, -80],
  ])
})

test('a name stands in the middle of the largest part', () => {
  const square = (x: number, size: number) => [
    [
      [x, 0],
      [x + size, 0],
      [x + size, size],
      [x, size],
      [x, 0],
    ],
  ]
  const two = { type: 'MultiPolygon' as const, coordinates: [square(50, 1), square(0, 10)] }
  const { features } = labels({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { name: 'Twoland' }, geometry: two }],
  })
  expect(features[0]?.geometry).toEqual({ type: 'Point', coordinates: [5, 5] })
})

test('the map has no borders of countries but those that the operator has laid there', () => {
  const none = { type: 'FeatureCollection' as const, features: [] }
  const layers = (countries: typeof none | null, provinces: typeof none | null) =>
    baseOf({ land: none, countries, provinces }, document.body).layers.map(({ id }) => id)
  expect(layers(null, null)).toEqual(['sea', 'land'])
  expect(layers(none, none)).toContain('countries-lines')
  expect(layers(none, none)).toContain('provinces-names')
})
