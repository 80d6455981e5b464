/** Whatever of the control page fails to draw, the robot can still be stopped and paused. */
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { live } from '@/shared/live/live'
import type { Seen } from '@/shared/live/store'
import { device, stage } from '@/widgets/testing/test-stage'
import { ControlScreen } from './control-screen'

const GRANT = { url: 'http://relay', port: 7, protocol: 3, grant: 'g', expiresAt: Date.now() + 60_000, number: 0 }
const done = () => Response.json({ code: 0, msg: '' })
const ROW = {
  ...{ id: 1, mode: 'cleaning', help: '', banners: [], run: 'r1', taskName: 'Lobby', charging: false, simulated: 0 },
  ...{
    liftName: '',
    clockOff: 0,
    mapName: 'floor',
    mapId: null,
    mapRevision: 0,
    offlineSince: null,
    offlineReason: null,
  },
  ...{ battery: 60, liquid: 50, progress: 0.5, cleaned: 10, planned: 20, remainingS: 60, uncertainty: 0.1 },
}

const PATIENCE = { timeout: 20_000 }

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {}) // React says there what a boundary caught
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function show(row: Record<string, unknown>) {
  vi.spyOn(live, 'robot').mockReturnValue({ row, receivedAt: Date.now() } as unknown as Seen)
  return stage(ControlScreen, {
    at: '/control/v3/1',
    path: '/control/v3/:deviceId',
    answers: {
      '/device/selectDeviceByDeviceId': device(1),
      '/device/control': { control: null },
      '/device/relayGrant': GRANT,
      'http://relay/?m=api1/robot_safe&p=7': done,
      'http://relay/?m=api1/task_pause&p=7': done,
      '/clientError': {},
    },
    keys: ['device_control/index'],
  })
}
const press = async (name: RegExp) => userEvent.click(await screen.findByRole('button', { name }))

test('a row without a field leaves emergency stop and pause', async () => {
  const { banners: _, ...malformed } = ROW
  const { of } = await show(malformed)
  for (const alert of await screen.findAllByRole('alert')) within(alert).getByText('This section could not be shown.')
  await press(/^Emergency stop/)
  await press(/^Pause/)
  await vi.waitFor(() => expect(of('http://relay/?m=api1/task_pause&p=7')).toHaveLength(1), PATIENCE)
})

test('a row that cannot be read leaves emergency stop and pause, which reach the robot', async () => {
  const unreadable = Object.defineProperty({ ...ROW }, 'help', {
    enumerable: true,
    get: () => {
      throw new Error('malformed')
    },
  })
  const { of } = await show(unreadable)
  within(await screen.findByRole('alert')).getByText('This section could not be shown.')
  await press(/^Emergency stop/)
  await press(/^Pause/)
  await vi.waitFor(() => expect(of('http://relay/?m=api1/task_pause&p=7')).toHaveLength(1), PATIENCE)
  expect(of('http://relay/?m=api1/robot_safe&p=7').map(({ payload }) => payload)).toEqual([{ robot_safe: 1 }])
})

test('keep the lock, the run and the stop where another part fails', async () => {
  const { of } = await show({ ...ROW, mode: 'help', help: undefined })
  const alerts = await screen.findAllByRole('alert')
  expect(alerts.map((alert) => /This section could not be shown/.test(alert.textContent ?? ''))).toContain(true)
  await screen.findByRole('button', { name: 'End task' }, PATIENCE)
  await press(/^Emergency stop/)
  await vi.waitFor(() => expect(of('http://relay/?m=api1/robot_safe&p=7')).toHaveLength(1), PATIENCE)
})

test('put pause and stop in the place of a run that fails', async () => {
  const { of } = await show({ ...ROW, taskName: { name: 'Lobby' } })
  await press(/^Pause/)
  await press(/^Emergency stop/)
  await vi.waitFor(() => expect(of('http://relay/?m=api1/robot_safe&p=7')).toHaveLength(1), PATIENCE)
  expect(of('http://relay/?m=api1/task_pause&p=7')).toHaveLength(1)
})
