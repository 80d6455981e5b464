/** A new task says in the specification's words what it lacks, and is not sent before. */
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { type MapDocument, newId, withOnly } from '@/canvas/document/document'
import { forgetGrant } from '@/shared/relay/relay'
import { connectLive } from '../testing/test-live'
import { stage } from '../testing/test-stage'
import { TaskForm } from './task-form'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

const GRANT = { url: 'http://relay', port: 7, protocol: 3, grant: 'g', number: 0 }

const map: MapDocument = {
  ...{ id: '1', name: 'floor', revision: 1, grid: undefined, marks: [] },
  frame: { width: 100, height: 100, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
}
const at = (shift: number) =>
  [1, 4].flatMap((x) => [
    { x: x + shift, y: 1 },
    { x: x + shift, y: 4 },
  ])
const withArea = (shift = 0) => withOnly(map, { id: newId(), kind: 'taskArea', name: '', points: at(shift) })
const withStart = (on: MapDocument) =>
  withOnly(on, { id: newId(), kind: 'startPoint', name: '', at: { x: 2, y: 2, yaw: 0 } })

const FORECAST = { path: [], area: 9, reachable: 8.4, length: 31, seconds: 125, battery: 1.4, liquid: 0.6 }

async function form(
  on: MapDocument | undefined,
  answer: object = { code: 0, msg: '', ...FORECAST },
  more: object = {},
) {
  forgetGrant(1)
  const sent: object[] = []
  await stage(
    () => (
      <TaskForm
        carpets
        deviceId={1}
        map={on}
        drawing={undefined}
        onDraw={() => {}}
        onForecast={() => {}}
        onDrawn={() => {}}
        onSave={async (payload) => sent.push(payload) > 0}
        onClose={() => {}}
        {...more}
      />
    ),
    {
      at: '/control',
      answers: {
        '/device/relayGrant': { ...GRANT, expiresAt: Date.now() + 60_000 },
        'http://relay/?m=api1/clean_area_pre&p=7': () =>
          Response.json(typeof answer === 'function' ? answer() : answer),
      },
    },
  )
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Save to robot' })
  const lacks = () => {
    const list = screen.queryByRole('list', { name: 'Still missing' })
    return list
      ? within(list)
          .getAllByRole('listitem')
          .map((alert) => alert.textContent)
      : []
  }
  return { sent, save, lacks }
}

test.each([
  ['rule.task.map', undefined, 'Choose a map'],
  ['rule.task.draw_first', map, 'Draw the area first'],
  ['rule.task.start_point', withArea(), 'Set the start point first'],
  ['rule.task.name', withStart(withArea()), 'Enter a task name'],
  ['rule.map.edge', withStart(withArea(20)), 'Outside the map'],
])('[%s] holds before anything is sent', async (_, on, text) => {
  const { save, lacks, sent } = await form(on)
  expect(lacks()).toContain(text)
  expect(save.disabled).toBe(true)
  expect(sent).toEqual([])
})

test('a name of blanks is none; a whole task is saved once, with its name trimmed, after its cost is known', async () => {
  const { save, lacks, sent } = await form(withStart(withArea()))
  const name = screen.getByRole('textbox', { name: 'Task name' })
  await userEvent.type(name, '  ')
  expect(lacks()).toEqual(['Enter a task name'])
  await userEvent.type(name, 'Lobby ')
  expect(lacks()).toEqual([])
  await screen.findByText(/8\.4\sm², 31\sm, about 2\smin, 1% battery and 1% disinfectant/)
  await userEvent.click(save)
  expect(sent).toMatchObject([{ name: 'Lobby', map_name: 'floor', start: [2, 2], task_mode: 'normal', route: 'bow' }])
})

test('[err.text.path_generation_failed] say that the robot finds no way, and save nothing', async () => {
  const { save, sent } = await form(withStart(withArea()), { code: 400, msg: 'no way', reason: 'path_not_solved' })
  await userEvent.type(screen.getByRole('textbox', { name: 'Task name' }), 'Lobby')
  await screen.findByText('Could not plan the route: The robot cannot find a way')
  expect(save.disabled).toBe(true)
  expect(sent).toEqual([])
})

test('while a route is planned the form says so, and asks again when the robot has planned', async () => {
  const answers = [
    { code: 0, msg: '', ...FORECAST, length: 0, planning: true },
    { code: 0, msg: '', ...FORECAST, planning: false },
  ]
  const server = await connectLive()
  server.send({ at: 10, planning: 1 })
  const { save } = await form(withStart(withArea()), () => answers.shift())
  await userEvent.type(screen.getByRole('textbox', { name: 'Task name' }), 'Lobby')
  expect(screen.getByRole('status').textContent).toBe('Planning the route…')
  expect(save.disabled).toBe(true)
  server.send({ at: 11, planning: 1 })
  expect(answers).toHaveLength(1)
  server.send({ at: 12, planning: 0 })
  await screen.findByText(/31\sm/)
  expect(save.disabled).toBe(false)
  server.close()
})

test('show no pattern in edge mode, and neither area nor mode for a path', async () => {
  const { save, sent } = await form(map, undefined, { paths: ['Corridor'] })
  await userEvent.click(screen.getByText('Edge'))
  expect(screen.queryByText('Back and forth')).toBeNull()
  await userEvent.click(screen.getByText('Hand-drawn path'))
  expect(screen.queryByText('Edge')).toBeNull()
  await userEvent.click(screen.getByRole('combobox', { name: 'Hand-drawn path' }))
  await userEvent.click(await screen.findByTitle('Corridor'))
  await userEvent.type(screen.getByRole('textbox', { name: 'Task name' }), 'Round')
  await screen.findByText(/31\sm/)
  await userEvent.click(save)
  expect(sent).toMatchObject([{ name: 'Round', areas: [], path: 'Corridor' }])
})

test('a task that is changed keeps its name and tells the revision that the change is based on', async () => {
  const task = {
    ...{ name: 'Lobby', map_name: 'floor', areas: [], start: null, revision: 4, clean_mode: 'quiet' },
    ...{ task_mode: 'normal', route: 'spiral', speed: 'high', hard_floor: false },
  }
  const { save, sent } = await form(withStart(withArea()), undefined, { task })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Task name' }).disabled).toBe(true)
  await screen.findByText(/31\sm/)
  await userEvent.click(save)
  expect(sent).toMatchObject([{ name: 'Lobby', revision: 4, clean_mode: 'quiet', route: 'spiral', speed: 'high' }])
})
