/** What a screen shows of a robot follows each field of its row, and no frame that changes nothing of it. */
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useRobotPart, useRobotParts } from '@/shared/live/live'
import type { SteadyRow } from '@/shared/live/steady'
import { connectLive, type LiveServer, OTHER_ROW } from '../testing/test-live'
import { asListed, has, type Listed, useRobot } from './robot'

const LISTED = { deviceId: 1, mode: 'cleaning', help: '', offlineSince: null, heartbeatTime: null } as Listed

let server: LiveServer
beforeEach(async () => {
  server = await connectLive()
})
afterEach(() => {
  vi.useRealTimers()
  server.close()
})

const { x, y, yaw, speed, uncertainty, ...drawn } = OTHER_ROW
const CHANGES: SteadyRow = drawn
test.each(Object.entries(CHANGES))('a list or page shows the newest %s of a robot', (field, value) => {
  const { result } = renderHook(() => useRobot(LISTED))
  server.send({})
  server.send({ [field]: value })
  expect(result.current).toMatchObject({ [field]: value })
})

test('a pose, or noise below what is written, draws nothing anew', () => {
  let renders = 0
  const { result } = renderHook(() => {
    renders += 1
    return useRobot(LISTED)
  })
  server.send({})
  const [before, drawn] = [result.current, renders]
  server.send({ at: 2, x: 2, y: 7, yaw: 1, speed: 0.31, uncertainty: 0.2, battery: 61.9, progress: 0.502 })
  expect(result.current).toBe(before)
  expect(renders).toBe(drawn)
})

test('a frame of other robots asks nothing of a part', () => {
  const select = vi.fn(({ mode }: { mode: string }) => mode)
  renderHook(() => useRobotPart(1, select))
  server.send({})
  const calls = select.mock.calls.length
  server.send({ id: 2 }, { id: 3 })
  expect(select).toHaveBeenCalledTimes(calls)
})

test('a part is drawn anew when a field of it changes, and is another robot’s when the id is', () => {
  const { result, rerender } = renderHook(({ id }) => useRobotPart(id, ({ mode, run }) => ({ mode, run })), {
    initialProps: { id: 1 },
  })
  expect(result.current).toBeUndefined()
  server.send({}, { id: 2, mode: 'idle', run: '' })
  expect(result.current).toEqual({ mode: 'cleaning', run: 'r1' })
  server.send({ run: 'r2' })
  expect(result.current).toEqual({ mode: 'cleaning', run: 'r2' })
  rerender({ id: 2 })
  expect(result.current).toEqual({ mode: 'idle', run: '' })
  server.send({ id: 2, mode: 'charging', run: '' })
  expect(result.current).toEqual({ mode: 'charging', run: '' })
})

test('values of several robots stand in the order of their ids', () => {
  const ids = [2, 9, 1]
  const { result } = renderHook(() => useRobotParts(ids, ({ mode }) => mode))
  server.send({}, { id: 2, mode: 'idle' })
  expect(result.current).toEqual(['idle', undefined, 'cleaning'])
  const before = result.current
  server.send({ x: 5 })
  expect(result.current).toBe(before)
  server.send({ id: 9, mode: 'help' })
  expect(result.current).toEqual(['idle', 'help', 'cleaning'])
})

test('[state.device_online] a robot at work that falls silent shows its age after 3 s', () => {
  vi.useFakeTimers()
  const { result } = renderHook(() => useRobot(LISTED))
  server.send({})
  act(() => vi.advanceTimersByTime(2900))
  expect(result.current).toMatchObject({ stale: false, ageMs: 0 })
  act(() => vi.advanceTimersByTime(2000))
  expect(result.current).toMatchObject({ stale: true, ageMs: 4000 })
  server.send({})
  expect(result.current.stale).toBe(false)
})

test('[state.device_online.offline] the list says times as text, the socket as ms: one form reaches the screen', () => {
  const listed = { offlineSince: '2026-11-21T14:21:00Z', heartbeatTime: '2026-11-21T14:20:45Z' } as Listed
  expect(asListed(listed)).toMatchObject({
    offlineSince: Date.UTC(2026, 10, 21, 14, 21),
    heartbeatTime: Date.UTC(2026, 10, 21, 14, 20, 45),
  })
})

test('a robot has what it names, and without naming any all of its protocol', () => {
  expect(has({ protocolVersion: 3, commands: ['robot_pose'] }, 'robot_pose')).toBe(true)
  expect(has({ protocolVersion: 3, commands: ['robot_pose'] }, 'task_add')).toBe(false)
  expect(has({ protocolVersion: 3, commands: null }, 'task_add')).toBe(true)
  expect(has({ protocolVersion: 2, commands: null }, 'account_list')).toBe(false)
})
