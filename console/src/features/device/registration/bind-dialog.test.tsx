/** An account is bound to a robot, or loses sight of it; without an account nothing is sent. */
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Listed } from '@/widgets/robot/robot'
import { device, stage } from '@/widgets/testing/test-stage'
import { BindDialog } from './bind-dialog'

afterEach(() => vi.unstubAllGlobals())

const ROBOT = device(7) as unknown as Listed

test.each([
  ['Share', 1],
  ['Remove access', 0],
] as const)('[dialog.device_bind_user] %s for the account that is chosen', async (choice, status) => {
  const onClose = vi.fn()
  const { of } = await stage(() => <BindDialog row={ROBOT} onClose={onClose} />, {
    at: '/device/index',
    answers: {
      '/device/selectOwnUser': { list: [{ userId: 4, name: 'Night shift', levelDepth: 4, childs: [] }] },
      '/device/updateUserDeviceStatus': {},
    },
  })
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Save' })
  expect(save.disabled).toBe(true)
  await userEvent.click(screen.getByRole('combobox'))
  await userEvent.click(await screen.findByText('Night shift'))
  await userEvent.click(screen.getByRole('radio', { name: choice }))
  await userEvent.click(save)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(of('/device/updateUserDeviceStatus').map(({ payload }) => payload)).toEqual([
    { deviceId: 7, userId: 4, status },
  ])
})
