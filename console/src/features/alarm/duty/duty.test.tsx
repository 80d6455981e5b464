import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { RotaDialog } from './rota-dialog'

const ANNA = { userId: 7, name: 'Anna' }
const BEN = { userId: 8, name: 'Ben' }
const NONE = { zone: '', list: [], now: [], next: null, people: [ANNA, BEN] }
const ROTA = {
  ...NONE,
  zone: 'Europe/Berlin',
  list: [{ ...ANNA, day: 7, starts: '22:00', ends: '06:00' }],
  now: [{ ...ANNA, start: '2026-03-01T21:00:00Z', until: '2026-03-02T05:00:00Z' }],
  next: { ...BEN, start: '2026-03-02T07:00:00Z', until: '2026-03-02T15:00:00Z' },
}
const KEY = 'warn/index/warn/resume'

async function open(rota: object, keys: string[] = [KEY]) {
  const onClose = vi.fn()
  const { of } = await stage(() => <RotaDialog onClose={onClose} />, {
    at: '/warn/index/warn',
    keys,
    answers: { '/warn/rota': rota, '/warn/editRota': {} },
  })
  return { of, onClose, dialog: within(await screen.findByRole('dialog')) }
}

test('show who is on duty now and next, by the clocks of the zone', async () => {
  const { dialog } = await open(ROTA)
  const line = await dialog.findByText(/On duty: Anna until/)
  expect(line.textContent).toMatch(/06:00.*Next: Ben from.*08:00/)
})

test('another shift begins as the last one does, a day later, and the week is saved as a whole', async () => {
  const { of, onClose, dialog } = await open(ROTA)
  await userEvent.click(await dialog.findByRole('button', { name: 'Add shift' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const night = { userId: 7, starts: '22:00', ends: '06:00' }
  expect(of('/warn/editRota')[0]?.payload).toEqual({
    zone: 'Europe/Berlin',
    list: [
      { ...night, day: 7 },
      { ...night, day: 1 },
    ],
  })
})

test('the first shift is of the own clock; the last one that is removed ends the rota', async () => {
  const { of, dialog } = await open(NONE)
  await userEvent.click(await dialog.findByRole('button', { name: 'Add shift' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Remove shift' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(of('/warn/editRota')).toHaveLength(1))
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  expect(of('/warn/editRota')[0]?.payload).toEqual({ zone: timeZone, list: [] })
})

test('show the rota without changes to an account without the right', async () => {
  const { dialog } = await open(ROTA, [])
  await dialog.findByText(/On duty: Anna/)
  expect(dialog.queryByRole('button', { name: 'Add shift' })).toBeNull()
  expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull()
})
