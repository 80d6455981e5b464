/** A task ends five seconds after somebody said so, and until then it can be taken back. */
import { act, cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectLive, LIVE_ROW, type LiveServer } from '../testing/test-live'
import { stage } from '../testing/test-stage'
import { EndTask } from './end-task'

let server: LiveServer
const sent: string[] = []

beforeEach(async () => {
  sent.length = 0
  server = await connectLive()
  server.send({})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
  server.close()
  vi.unstubAllGlobals()
})

const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) })
const press = async (name: string) => user.click(await screen.findByRole('button', { name }))
async function pass(seconds: number) {
  for (let second = 0; second < seconds; second += 1) await act(() => vi.advanceTimersByTimeAsync(1000))
}

async function show(following: string[] = [], paused = false) {
  const socket = globalThis.WebSocket
  await stage(
    () => (
      <EndTask
        deviceId={LIVE_ROW.id}
        run={LIVE_ROW.run}
        paused={paused}
        following={following}
        pause={() => sent.push('pause')}
        resume={() => sent.push('resume')}
        end={(all) => sent.push(all ? 'end all' : 'end this')}
      />
    ),
    { at: '/end', answers: {} },
  )
  vi.stubGlobal('WebSocket', socket)
}

test('the robot pauses at once, and its task ends after five seconds', async () => {
  await show()
  await press('End task')
  expect(sent).toEqual(['pause'])
  await pass(4)
  expect(sent).toEqual(['pause'])
  await pass(2)
  expect(sent).toEqual(['pause', 'end all'])
})

test.each([
  [false, ['pause', 'resume']],
  [true, []],
])('taken back it goes on as before; paused before: %s', async (paused, expected) => {
  await show([], paused)
  await press('End task')
  await pass(3)
  await press('Undo')
  await pass(6)
  expect(sent).toEqual(expected)
  await screen.findByRole('button', { name: 'End task' })
})

test('end the task when somebody leaves the page meanwhile, unless another runs by then', async () => {
  await show()
  await press('End task')
  cleanup()
  expect(sent).toEqual(['pause', 'end all'])
  sent.length = 0
  await show()
  await press('End task')
  server.send({ run: 'r2' })
  cleanup()
  expect(sent).toEqual(['pause'])
})

test.each([
  ['End this task; “Hall” follows', 'end this'],
  ['End all 2 tasks', 'end all'],
])('where tasks follow a menu asks: %s', async (entry, end) => {
  await show(['Hall'])
  await press('End task')
  await user.click(await screen.findByRole('menuitem', { name: entry }))
  await pass(6)
  expect(sent).toEqual(['pause', end])
})
