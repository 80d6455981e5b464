/** Rooms are cleaned now: one by its task, several or several times as a group, by whoever has or takes control. */
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { MapDocument } from '@/canvas/document/document'
import type { LiveRow } from '@/shared/live/frames'
import { forgetGrant } from '@/shared/relay/relay'
import { useRoomChoice } from '@/widgets/task/clean/room-choice'
import { USUAL } from '@/widgets/task/robot-task'
import { cornersOf } from '@/widgets/task/rooms'
import { stage } from '@/widgets/testing/test-stage'
import { type Scope, ScopeOf } from '../scope'
import { CleanRooms } from './clean-rooms'

const room = (name: string, x: number) => ({
  ...{ id: name, kind: 'freeArea' as const, name },
  points: [
    { x, y: 0 },
    { x: x + 4, y: 0 },
    { x: x + 4, y: 4 },
    { x, y: 4 },
  ],
})
const FLOOR: MapDocument = {
  ...{ id: '1', name: 'Ground', revision: 1, grid: undefined, marks: [room('Lobby', 0), room('Ward', 5)] },
  frame: { width: 200, height: 200, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
}
const ANEW = { ...FLOOR, marks: FLOOR.marks.map((mark) => ({ ...mark, id: `${mark.id} anew` })) }
const ROW = { id: 1, mode: 'idle', run: '', mapId: 5, mapName: 'Ground', banners: [] as string[] } as unknown as LiveRow
const FORECASTS = 'http://relay/?m=api1/clean_area_pre&p=7'
const STUCK = { code: 400, msg: 'stuck', reason: 'task_start_unreachable', field: 'start' }
const FORECAST = { path: [], area: 16, reachable: 15, length: 20, seconds: 120, battery: 2, liquid: 1 }

const GRANT = { url: 'http://relay', port: 7, protocol: 3, grant: 'g', number: 0 }

afterEach(() => vi.unstubAllGlobals())

interface Given {
  scope?: Partial<Scope>
  tasks?: object[]
  run?: string
  /** Where the robot can stand; everywhere if missing. */
  stands?: (start: readonly number[]) => boolean
}

async function show({ scope, tasks = [], run = '', stands = () => true }: Given = {}) {
  forgetGrant(1)
  const orders: { command: string; payload?: unknown }[] = []
  const send = async (order: { command: string; payload?: unknown }) => orders.push(order)
  const actions = { send } as never
  const given: Scope = {
    ...{ deviceId: 1, protocol: 3, abilities: [], commands: null, inControl: true, online: true, actions },
    ...scope,
  }
  function Screen() {
    const [floor, setFloor] = useState<MapDocument | undefined>(FLOOR)
    const choice = useRoomChoice(floor)
    return (
      <ScopeOf value={given}>
        <button type="button" onClick={() => choice.tap({ x: 6, y: 1 })}>
          tap
        </button>
        <button type="button" onClick={() => setFloor(undefined)}>
          lose floor
        </button>
        <button type="button" onClick={() => setFloor(ANEW)}>
          floor comes anew
        </button>
        {choice.open ? (
          <CleanRooms row={{ ...ROW, run }} choice={choice} carpets={false} />
        ) : (
          <button type="button" onClick={choice.begin}>
            begin
          </button>
        )}
      </ScopeOf>
    )
  }
  const { of } = await stage(Screen, {
    at: '/control',
    keys: ['device_control/index', 'device/taskList'],
    answers: {
      '/taskReport/wetFloors': { list: [] },
      '/taskReport/cleanedRooms': {
        list: [
          { id: 'Lobby', name: 'Lobby', area: 16, cleanedToday: 0, cleanedTime: '2026-11-20T04:00:00Z', daysAgo: 3 },
          { id: 'other', name: 'Ward', area: 16, cleanedToday: 0, cleanedTime: null, daysAgo: null },
        ],
      },
      '/device/relayGrant': { ...GRANT, expiresAt: Date.now() + 60_000 },
      'http://relay/?m=api1/task_list&p=7': () => Response.json({ code: 0, msg: '', task_list: tasks }),
      'http://relay/?m=api1/taskgroup_list&p=7': () =>
        Response.json({ code: 0, msg: '', list: [{ name: 'Clean rooms', revision: 7 }] }),
      [FORECASTS]: ({ start }: Record<string, unknown>) =>
        Response.json(stands(start as readonly number[]) ? { code: 0, msg: '', ...FORECAST } : STUCK),
    },
  })
  return { orders, of }
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const choose = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name }))
const cleanNow = () => screen.findByRole<HTMLButtonElement>('button', { name: /^(Clean now|Take control and clean)$/ })
const ready = async () => {
  const button = await cleanNow()
  await waitFor(() => expect(button.disabled).toBe(false))
  return button
}

test('a room that is pressed on the map is chosen, and once more is not', async () => {
  await show()
  await press('tap')
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Ward' })).checked).toBe(true)
  await press('tap')
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Ward' })).checked).toBe(false)
  expect((await cleanNow()).title).toBe('Choose a room first.')
})

test('rooms stay chosen when their floor comes anew with other ids', async () => {
  await show()
  await press('begin')
  await choose('Ward')
  await press('lose floor')
  await press('floor comes anew')
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Ward' })).checked).toBe(true)
  await choose('Ward')
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Ward' })).checked).toBe(false)
})

test('each room says how long ago it was cleaned', async () => {
  await show()
  await press('begin')
  await screen.findByText('Cleaned 3 days ago')
  const rooms = within(screen.getByRole('list', { name: 'Rooms' })).getAllByRole('listitem')
  expect(rooms.map(({ textContent }) => textContent)).toEqual(['LobbyCleaned 3 days ago', 'WardNot cleaned in 90 days'])
})

test('make a task of one room that begins in its middle, and start it', async () => {
  const { orders } = await show()
  await press('begin')
  await choose('Lobby')
  await screen.findByText(/^1 room, 15 m², about/)
  await userEvent.click(await ready())
  await waitFor(() => expect(orders.map(({ command }) => command)).toEqual(['task_add', 'task_start']))
  expect(orders[0]?.payload).toMatchObject({ name: 'Lobby', map_name: 'Ground', start: [2, 2] })
  expect(orders[1]?.payload).toEqual({ name: 'Lobby', map_name: 'Ground' })
  await screen.findByRole('button', { name: 'begin' })
})

test('several rooms are a group in the sequence of the choice, run as often as chosen', async () => {
  const lobby = { ...USUAL, name: 'Clean Lobby', areas: [{ points: cornersOf(room('Lobby', 0).points) }] }
  const { orders } = await show({ tasks: [lobby] })
  await press('begin')
  await choose('Ward')
  await choose('Lobby')
  await userEvent.click(screen.getByText('2×'))
  await screen.findByText(/^2 rooms, 60 m²/)
  await userEvent.click(await ready())
  await waitFor(() => expect(orders.map(({ command }) => command)).toEqual(['task_add', 'taskgroup_add', 'task_start']))
  const units = [
    { name: 'Ward', map_name: 'Ground', task: 'Ward' },
    { name: 'Lobby', map_name: 'Ground', task: 'Clean Lobby' },
  ]
  expect(orders[1]?.payload).toEqual({ name: 'Clean rooms', type: 0, tasks: units, count: 2, revision: 7 })
  expect(orders[2]?.payload).toEqual({ group: 'Clean rooms' })
})

test('begin elsewhere in a room whose middle the robot cannot stand in', async () => {
  const { orders, of } = await show({ stands: ([x]) => x === 3 })
  await press('begin')
  await choose('Lobby')
  await userEvent.click(await ready())
  await waitFor(() => expect(orders[0]?.payload).toMatchObject({ start: [3, 2] }))
  expect(of(FORECASTS).length).toBeGreaterThan(1)
})

test('a room that the robot cannot clean is named with the reason, and nothing starts', async () => {
  const { orders } = await show({ stands: () => false })
  await press('begin')
  await choose('Lobby')
  expect((await screen.findByRole('alert')).textContent).toContain('Lobby: ')
  expect((await cleanNow()).disabled).toBe(true)
  expect(orders).toEqual([])
})

test('start nothing while a task runs', async () => {
  await show({ run: 'r1' })
  await press('begin')
  await choose('Lobby')
  expect((await cleanNow()).title).toBe('A task is running.')
})

test('free control is taken with the start; where somebody else has it, nothing starts', async () => {
  const takeControl = vi.fn(async () => true)
  const { orders } = await show({ scope: { inControl: false, takeControl } })
  await press('begin')
  await choose('Lobby')
  await userEvent.click(await ready())
  await waitFor(() => expect(orders).toHaveLength(2))
  expect(takeControl).toHaveBeenCalled()
})

test('while somebody else has control the button says so', async () => {
  await show({ scope: { inControl: false } })
  await press('begin')
  await choose('Lobby')
  expect((await cleanNow()).title).toBe('Take control first.')
})
