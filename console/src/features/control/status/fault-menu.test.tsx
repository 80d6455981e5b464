import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { FaultMenu } from './fault-menu'

afterEach(() => vi.unstubAllGlobals())

async function press(name: string) {
  await userEvent.click(screen.getByRole('button', { name: 'Simulate fault' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

test('a fault is caused by a press, and ended by the next', async () => {
  const { of } = await stage(() => <FaultMenu deviceId={7} help="lidar" />, {
    at: '/',
    answers: { '/device/fault': {} },
  })
  await press('Stuck')
  await vi.waitFor(() => expect(of('/device/fault')).toHaveLength(1))
  await press('Stuck')
  await vi.waitFor(() => expect(of('/device/fault')).toHaveLength(2))
  await press('Lidar fault')
  await vi.waitFor(() => expect(of('/device/fault')).toHaveLength(3))
  expect(of('/device/fault').map(({ payload }) => [payload.deviceId, payload.name, payload.on])).toEqual([
    [7, 'stuck', true],
    [7, 'stuck', false],
    [7, 'lidar', false], // the robot tells of it
  ])
})
