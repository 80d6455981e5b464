/** While a task runs, or a lift carries the robot, its map is not edited; whoever wants to may stop all tasks. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { LiveRow } from '@/shared/live/frames'
import { live } from '@/shared/live/live'
import type { Seen } from '@/shared/live/store'
import { stage } from '@/widgets/testing/test-stage'
import type { MapRow } from '../../row'
import { BlockedBand, useBlock } from './blocked'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const row = (change: Partial<MapRow> = {}) => ({ deviceId: 3, name: 'hall', ...change }) as MapRow
const Reason = ({ map }: { map: MapRow }) => <output>{useBlock(map) ?? 'free'}</output>
const seen = (change: Partial<LiveRow>) =>
  vi.spyOn(live, 'robot').mockReturnValue({ row: { mapName: 'hall', mode: 'idle', run: '', ...change } } as Seen)

test.each([
  ['nothing runs', {}, {}, 'free'],
  ['a task runs on it', { run: 'r1', mode: 'cleaning' as const }, {}, 'task'],
  ['a task runs on another map', { run: 'r1', mapName: 'attic' }, {}, 'free'],
  ['a lift carries the robot', { mode: 'riding' as const, run: 'r1' }, {}, 'elevator'],
  ['it is a map of the library', { run: 'r1' }, { deviceId: null }, 'free'],
])('[state.map_edit, state.map_edit.t01] %s', async (_, live, map, block) => {
  seen(live)
  await stage(() => <Reason map={row(map)} />, { at: '/', answers: {} })
  expect((await screen.findByRole('status')).textContent).toBe(block)
})

const RELAY = 'http://relay'
const CANCEL = `${RELAY}/?m=api1/task_cancel&p=7`
const band = (block: 'task' | 'elevator', answer: object) =>
  stage(() => <BlockedBand block={block} deviceId={3} />, {
    at: '/',
    answers: {
      '/device/relayGrant': { url: RELAY, port: 7, protocol: 3, grant: 'g', expiresAt: Date.now() + 60_000, number: 0 },
      [CANCEL]: () => new Response(JSON.stringify(answer)),
    },
  })

test('[rule.edit.block_task, state.map_edit.blocked_by_task, err.text.edit_stop_tasks, state.map_edit.t02] all tasks are stopped from there', async () => {
  const { of } = await band('task', { code: 0, msg: '' })
  await screen.findByText('A task is running. End all tasks to edit the map?')
  await userEvent.click(screen.getByRole('button', { name: 'End all tasks' }))
  await vi.waitFor(() => expect(of(CANCEL)).toHaveLength(1))
})

test('show in its place what the robot refuses', async () => {
  await band('task', { code: 502, msg: '', reason: 'relay_unreachable' })
  await userEvent.click(await screen.findByRole('button', { name: 'End all tasks' }))
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).not.toContain('A task is running'))
})

test('[state.map_edit.blocked_by_elevator_transfer, err.text.edit_blocked_elevator, rule.edit.block_elevator, state.map_edit.t04] there is no way round a ride', async () => {
  await band('elevator', {})
  await screen.findByText('The map cannot be edited during an elevator ride')
  expect(screen.queryByRole('button')).toBeNull()
})
