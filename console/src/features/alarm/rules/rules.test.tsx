import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { SettingsScreen } from '../settings-screen'

const rule = (kind: string, more: object = {}) => ({
  ...{ kind, content: kind, unit: 'minutes', least: 2, most: 720, enabled: true, threshold: 30 },
  ...{ decided: 'default', decidedBy: '', standing: false },
  ...more,
})
const RULES = [
  rule('task_late'),
  rule('upkeep_due', { unit: 'percent', least: 90, most: 100, threshold: 100, decided: 'own' }),
  rule('not_cleaned', { unit: 'days', threshold: 7, enabled: false, decided: 'above', decidedBy: 'Harbour' }),
  rule('clock_off', { standing: true }),
]

const open = () =>
  stage(() => <SettingsScreen />, {
    at: '/warn/index/warn_set?view=rules',
    keys: ['warn/index/warn_set'],
    answers: {
      '/wmWarnSet/listRules': { list: RULES },
      '/wmWarnSet/editRule': {},
      '/wmWarnSet/tryRule': ({ threshold }: { threshold: number }) => ({ count: threshold < 40 ? 14 : 2, days: 30 }),
      '/device/selectOwnUser': { list: [] },
    },
  })

test('each rule says when it raises an alarm, whether it does, and who set it', async () => {
  await open()
  const late = within(await screen.findByRole('row', { name: /task_late/ }))
  expect(late.getByText(/has not started 30.min after its time/)).toBeDefined()
  expect(late.getByText('On')).toBeDefined()
  const idle = within(screen.getByRole('row', { name: /not_cleaned/ }))
  expect(idle.getByText('Nothing cleaned for 7 days')).toBeDefined()
  expect(idle.getByText('Off')).toBeDefined()
  expect(idle.getByText('Harbour')).toBeDefined()
})

test('show before saving how often a rule would have raised an alarm', async () => {
  const { of } = await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit: task_late' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText(/would have raised an alarm 14 times/)).toBeDefined()
  const field = dialog.getByRole('spinbutton')
  await userEvent.clear(field)
  await userEvent.type(field, '60')
  expect(await dialog.findByText(/would have raised an alarm 2 times/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(of('/wmWarnSet/editRule')).toHaveLength(1))
  expect(of('/wmWarnSet/editRule')[0]?.payload).toEqual({
    userId: null,
    kind: 'task_late',
    enabled: true,
    threshold: 60,
  })
})

test('restore the threshold from above, and refuse one out of its bounds', async () => {
  const { of } = await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit: upkeep_due' }))
  const dialog = within(await screen.findByRole('dialog'))
  const field = dialog.getByRole('spinbutton')
  await userEvent.clear(field)
  await userEvent.type(field, '95')
  expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  await userEvent.click(dialog.getByRole('button', { name: 'Back to the setting above' }))
  await waitFor(() => expect(of('/wmWarnSet/editRule')).toHaveLength(1))
  expect(of('/wmWarnSet/editRule')[0]?.payload).toMatchObject({ kind: 'upkeep_due', enabled: null, threshold: null })
})

test('of what no history is stored of, it says for how many robots it holds now', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit: clock_off' }))
  expect(await screen.findByText('Robots for which this holds now: 14.')).toBeDefined()
})
