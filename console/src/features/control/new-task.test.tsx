/** A new task says in the specification's words what it lacks, and is not sent before. */
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { type MapDocument, newId, withOnly } from '@/canvas/document'
import { stage } from '@/widgets/test-stage'
import type { Deeds } from './deeds'
import { NewTask } from './new-task'
import { ScopeOf } from './scope'

afterEach(() => vi.unstubAllGlobals())

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

async function form(on: MapDocument | undefined) {
  const sent: unknown[] = []
  const deeds = {
    send: async (order: unknown) => {
      sent.push(order)
      return true
    },
  } as unknown as Deeds
  await stage(
    () => (
      <ScopeOf value={{ deviceId: 1, protocol: 3, abilities: [], mine: true, online: true, deeds }}>
        <NewTask carpets map={on} drawing={undefined} onDraw={() => {}} onForecast={() => {}} onClose={() => {}} />
      </ScopeOf>
    ),
    { at: '/control', answers: {} },
  )
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Save to the robot' })
  const lacks = () => {
    const list = screen.queryByRole('list', { name: 'Still missing' })
    return list
      ? within(list)
          .getAllByRole('listitem')
          .map((one) => one.textContent)
      : []
  }
  return { sent, save, lacks }
}

test.each([
  ['rule.task.map', undefined, 'The task needs a map'],
  ['rule.task.draw_first', map, 'Draw the area first'],
  ['rule.task.start_point', withArea(), 'Draw the start point first'],
  ['rule.task.name', withStart(withArea()), 'The task needs a name'],
  ['rule.map.edge', withStart(withArea(20)), 'This lies beyond the map’s edge'],
])('[%s] holds before anything is sent', async (_, on, text) => {
  const { save, lacks, sent } = await form(on)
  expect(lacks()).toContain(text)
  expect(save.disabled).toBe(true)
  expect(sent).toEqual([])
})

test('a name of blanks is none; a whole task is sent once, with its name trimmed', async () => {
  const { save, lacks, sent } = await form(withStart(withArea()))
  const name = screen.getByRole('textbox', { name: 'Task name' })
  await userEvent.type(name, '  ')
  expect(lacks()).toEqual(['The task needs a name'])
  await userEvent.type(name, 'Lobby ')
  expect(lacks()).toEqual([])
  await userEvent.click(save)
  expect(sent).toMatchObject([{ command: 'task_add', payload: { name: 'Lobby', map_name: 'floor', start: [2, 2] } }])
})
