import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { RulesDialog } from './rules-dialog'

const NOTHING = { zone: '', quietFrom: null, quietUntil: null, alarmsPass: true, digest: null }

const open = (keys: string[], answers: object = {}) => {
  const onClose = vi.fn()
  const staged = stage(() => <RulesDialog onClose={onClose} />, {
    at: '/warn/index/warn',
    keys,
    answers: {
      '/warn/notificationHours': NOTHING,
      '/warn/escalation': { minutes: null, steps: 1 },
      '/warn/editNotificationHours': {},
      '/warn/editEscalation': {},
      ...answers,
    },
  })
  return staged.then(({ of }) => ({ of, onClose }))
}

test('quiet hours begin as a night, and both settings are saved by one press', async () => {
  const { of, onClose } = await open(['warn/index/warn/resume'])
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(await dialog.findByRole('switch', { name: /^Quiet hours/ }))
  await userEvent.click(dialog.getByRole('switch', { name: /^Let alarms through/ }))
  await userEvent.click(dialog.getByRole('switch', { name: /^Daily digest/ }))
  await userEvent.click(dialog.getByRole('combobox', { name: 'If no one takes an alarm within' }))
  await userEvent.click(await screen.findByTitle(/^15.min$/))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(of('/warn/editNotificationHours')[0]?.payload).toEqual({
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...{ quietFrom: '22:00', quietUntil: '07:00', alarmsPass: false, digest: '07:30' },
  })
  expect(of('/warn/editEscalation')[0]?.payload).toEqual({ minutes: 15, steps: 1 })
})

test('let an account without the right to alarms set only its own hours', async () => {
  const stored = { ...NOTHING, zone: 'Asia/Shanghai', quietFrom: '23:00', quietUntil: '06:00' }
  const { of, onClose } = await open([], { '/warn/notificationHours': stored })
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('Times in Asia/Shanghai')).toBeDefined()
  await userEvent.click(await dialog.findByRole('switch', { name: /^Quiet hours/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(of('/warn/editNotificationHours')[0]?.payload).toMatchObject({ quietFrom: null, quietUntil: null })
  expect(of('/warn/editEscalation')).toHaveLength(0)
})
