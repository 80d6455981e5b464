import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Robot } from '@/widgets/robot/robot'
import { stage } from '@/widgets/testing/test-stage'
import { UpdaterPanel } from './updater-panel'

const ROW = { deviceId: 1, deviceSerialNumber: 'SC0001' } as Robot
const NONE = { exists: false, createTime: null, seenTime: null, message: '', attributes: {}, url: 'https://l/api/ddi' }

test('a robot is given a token for its updater, which is shown once', async () => {
  const { of } = await stage(() => <UpdaterPanel row={ROW} />, {
    ...{ at: '/device/info', keys: ['device/index', 'version/soft'] },
    answers: { '/device/selectUpdateToken': NONE, '/device/createUpdateToken': { token: 'once-only' } },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Create token' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/roll-outs wait until this robot asks/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Create token' }))
  await waitFor(() => expect(of('/device/createUpdateToken')[0]?.payload).toEqual({ deviceId: 1 }))
  expect(await screen.findByText('https://l/api/ddi')).toBeTruthy()
  expect(screen.getByText('once-only')).toBeTruthy()
})

test('a robot that asks by itself shows what it says, and its token can be deleted', async () => {
  const { of } = await stage(() => <UpdaterPanel row={ROW} />, {
    ...{ at: '/device/info', keys: ['device/index', 'version/soft'] },
    answers: {
      '/device/selectUpdateToken': { ...NONE, exists: true, message: 'Installed', attributes: { board: 'x1' } },
      '/device/deleteUpdateToken': {},
    },
  })
  expect(await screen.findByText('Installed')).toBeTruthy()
  expect(screen.getByText('x1')).toBeTruthy()
  expect(screen.getByText('Never')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Delete token' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(of('/device/deleteUpdateToken')).toHaveLength(1))
})
