import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '../testing/test-stage'
import { SendHome } from './send-home'

const SENT = {
  obeyed: 1,
  list: [
    { deviceId: 1, deviceCode: 'L1-A', floor: '1', outcome: 'obeys', reason: '' },
    { deviceId: 2, deviceCode: 'L1-B', floor: '1', outcome: 'refuses', reason: 'control_lost' },
    { deviceId: 3, deviceCode: 'L2-A', floor: '2', outcome: 'offline', reason: '' },
  ],
}
const Hotel = () => <SendHome building="Kestrel Quay Hotel" />

afterEach(() => vi.unstubAllGlobals())

test('send all robots home after a question, and say who did not obey and why', async () => {
  const { of } = await stage(Hotel, {
    at: '/index',
    keys: ['device_control/index/drive'],
    answers: { '/device/sendHome': SENT },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'All return to charge' }))
  expect(of('/device/sendHome')).toHaveLength(0)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'All return to charge' }))
  expect(await dialog.findByText('On the way or charging: 1 of 3')).toBeDefined()
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'L1-BYou do not have control of this robot',
    'L2-AOffline',
  ])
  expect(dialog.queryByRole('button', { name: 'Cancel' })).toBeNull() // there is nothing left to go back from
  expect(of('/device/sendHome')[0]?.payload).toEqual({ building: 'Kestrel Quay Hotel' })
})

test('show no button to drive without the right', async () => {
  await stage(Hotel, { at: '/index', keys: ['index'], answers: {} })
  expect(screen.queryByRole('button')).toBeNull()
})
