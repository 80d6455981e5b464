import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { device, stage } from '@/widgets/testing/test-stage'
import { SettingsScreen } from '../settings-screen'
import { NotificationHistory } from './history'

const ROW = {
  ...{ id: 1, channel: 'email', userId: 3, name: 'Ana Ruiz', target: 'ana@b.com', state: 'sent', attempts: 1 },
  ...{ time: '2026-11-23T08:00:00Z', sentTime: '2026-11-23T08:00:01Z', nextTime: null, reason: '', reasonText: '' },
}
const WAITING = {
  ...{ ...ROW, id: 2, channel: 'terminal', userId: null, name: '', target: 'SC0001', state: 'waiting' },
  ...{ sentTime: null, nextTime: '2026-11-23T08:05:00Z', reasonText: 'the robot is not responding' },
}
const FAILED = { ...ROW, id: 3, channel: 'sms', target: '', state: 'failed', sentTime: null, reasonText: 'no number' }
const History = () => <NotificationHistory warnId={7} />

test('the history says who was notified by which channel, why not, and when it is tried again', async () => {
  const { of } = await stage(History, {
    at: '/warn/index/warn',
    answers: { '/warn/listNotifications': { list: [ROW, WAITING, FAILED] } },
  })
  const lines = (await screen.findAllByRole('definition')).map((line) => line.textContent)
  expect(of('/warn/listNotifications')[0]?.payload).toEqual({ warnId: 7 })
  expect(screen.getAllByRole('term').map((line) => line.textContent)).toEqual([
    'Email · Ana Ruiz · ana@b.com',
    'On the robot · SC0001',
    'SMS · Ana Ruiz',
  ])
  expect(lines[0]).toMatch(/^Sent.*:00:01/)
  expect(lines[1]).toMatch(/^Waitingthe robot is not responding · next attempt .*:05:00/)
  expect(lines[2]).toBe('Not sentno number')
})

test('say in the history that nobody was notified', async () => {
  await stage(History, { at: '/warn/index/warn', answers: { '/warn/listNotifications': { list: [] } } })
  await screen.findByText('No one was notified: no channel reaches anyone.')
})

test('each channel is tried by a press, that of the robot once one is chosen, and says what came of it', async () => {
  const { of } = await stage(SettingsScreen, {
    at: '/warn/index/warn_set',
    keys: ['warn/index/warn_set'],
    answers: {
      '/wmWarnSet/queryByPage': { list: [], total: 0, pageNum: 1 },
      '/wmWarnSet/test': {},
      '/device/selectDevicePc': { list: [device(1)], total: 1, pageNum: 1 },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Test channels' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole('button', { name: 'Send me a test: On the robot' }).hasAttribute('disabled')).toBe(true)
  await userEvent.click(dialog.getByRole('button', { name: 'Send me a test: Email' }))
  await waitFor(() => expect(of('/wmWarnSet/test')[0]?.payload).toEqual({ channel: 'email', deviceId: null }))
  await dialog.findByText('Sent')
})
