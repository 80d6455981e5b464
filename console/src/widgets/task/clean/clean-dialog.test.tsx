/** A floor's rooms are cleaned from wherever it is shown: control is taken for the start, and given back. */
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { LiveRow } from '@/shared/live/frames'
import { forgetGrant } from '@/shared/relay/relay'
import { connectLive } from '../../testing/test-live'
import { device, stage } from '../../testing/test-stage'
import { CleanDialog } from './clean-dialog'

afterEach(() => vi.unstubAllGlobals())

const square = (x: number) => [
  [x, 0],
  [x + 4, 0],
  [x + 4, 4],
  [x, 4],
]
const MAP = {
  ...{ mapId: 4, name: 'floor', revision: 3, resolution: 0.1, width: 200, height: 200, loaded: true },
  ...{ origin: [0, 0, 0], flags: [], virtualWalls: [], forbiddenZones: [], building: 'Clinic', floor: '1' },
  freeAreas: [
    { id: 'l', name: 'Lobby', points: square(0) },
    { id: 'w', name: 'Ward', points: square(5) },
  ],
}
const START = 'http://relay/?m=api1/task_start&p=7'
const LOAD = 'http://relay/?m=api2/map_load&p=7'
const GRANT = { url: 'http://relay', port: 7, protocol: 3, grant: 'g', number: 0 }
const FREE = { run: '', mode: 'idle' as const }
const ROBOTS = [
  { deviceId: 1, deviceCode: 'R-1', mapId: 4 },
  { deviceId: 2, deviceCode: 'R-2', mapId: 4 },
]
const ok = (more: object) => () => Response.json({ code: 0, msg: '', ...more })

interface Given {
  rows: readonly Partial<LiveRow>[]
  keys?: readonly string[]
}

async function show({ rows, keys = [] }: Given) {
  forgetGrant(1)
  forgetGrant(2)
  const server = await connectLive()
  server.send(...rows)
  const onClose = vi.fn()
  const { of } = await stage(
    () => <CleanDialog label="Clinic, floor 1" robots={ROBOTS} at={{ x: 6, y: 1 }} onClose={onClose} />,
    {
      at: '/index',
      keys: ['device_control/index', 'device/taskList', ...keys],
      answers: {
        '/map/selectMap': { list: [MAP] },
        '/map/grid': new Response(new Uint8Array()),
        '/device/selectDeviceByDeviceId': ({ deviceId }: Record<string, unknown>) => device(Number(deviceId)),
        '/taskReport/wetFloors': { list: [] },
        '/taskReport/cleanedRooms': { list: [] },
        '/device/relayGrant': { ...GRANT, expiresAt: Date.now() + 60_000 },
        '/device/control': { mine: false },
        '/device/takeControl': {},
        '/device/releaseControl': {},
        'http://relay/?m=api1/task_list&p=7': ok({ task_list: [] }),
        'http://relay/?m=api1/task_add&p=7': ok({}),
        [START]: ok({}),
        [LOAD]: ok({}),
        'http://relay/?m=api1/clean_area_pre&p=7': ok({
          ...{ path: [], area: 16, reachable: 15, length: 20, seconds: 120, battery: 2, liquid: 1 },
        }),
      },
    },
  )
  return { of, onClose, server }
}

test('the room that was pressed is cleaned by the robot that is free', async () => {
  const { of, onClose } = await show({
    rows: [
      { id: 1, mode: 'cleaning' },
      { id: 2, ...FREE },
    ],
  })
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Ward' })).checked).toBe(true)
  await screen.findByText(/^1 room, 15 m²/)
  await userEvent.click(screen.getByRole('button', { name: 'Clean now' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(of('/device/takeControl')).toMatchObject([{ payload: { deviceId: 2 } }])
  expect(of(START)).toMatchObject([{ payload: { name: 'Ward', map_name: 'floor' } }])
  expect(of('/device/releaseControl')).toHaveLength(1)
})

test.each([
  ['offline', { mode: 'offline' as const, run: '' }, 'The robot is offline.'],
  ['elsewhere', { ...FREE, mapId: 9 }, 'This robot is on another map now.'],
  ['at work', { mode: 'cleaning' as const }, 'A task is running.'],
])('a robot that is %s is not started, and that is said', async (_, row, why) => {
  await show({
    rows: [
      { id: 1, ...row },
      { id: 2, ...row },
    ],
  })
  await screen.findByText(why)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /(Clean now|and clean)$/ }).disabled).toBe(true)
})

test('a robot of the floor that has another map loaded switches to it first, where that is allowed', async () => {
  const { of, server } = await show({
    keys: ['device/maplist'],
    rows: [
      { id: 1, ...FREE, mapId: 9 },
      { id: 2, mode: 'offline' },
    ],
  })
  await screen.findByText(/^1 room, 15 m²/)
  await userEvent.click(screen.getByRole('button', { name: 'Switch map and clean' }))
  await waitFor(() => expect(of(LOAD)).toMatchObject([{ payload: { name: 'floor', ends: '' } }]))
  expect(of(START)).toHaveLength(0)
  server.send({ id: 1, ...FREE })
  await waitFor(() => expect(of(START)).toHaveLength(1))
})
