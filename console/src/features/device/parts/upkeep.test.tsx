import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { device, stage } from '@/widgets/testing/test-stage'
import { DeviceScreen } from '../list/device-screen'
import { drafts, faultsOf, formRowOf, freshOf, payloadOf } from './maintenance'

const INFO = '/deviceConsumable/consumableInfo'
const EDIT = '/deviceConsumable/consumableEdit'
const REPLACE = '/deviceConsumable/consumableUpdate'
const PLANS = '/maintain/findMaintainBySn'
const WRITE = '/maintain/updateMaintainBySn'
const SN = 'SC0001'
const KEYS = ['index', 'device/index', 'device/index/consumables', 'device/index/maintenance']
const PARTS = [
  {
    ...{ name: 'filter', replaceDate: '2026-10-01', usedHours: 9.5, lifeHours: 10, state: 'soon' },
    deviceSerialNumber: SN,
  },
  {
    ...{ name: 'dust bag', replaceDate: null, usedHours: 3, lifeHours: null, state: 'unset' },
    deviceSerialNumber: SN,
  },
]
const DONE = [{ name: 'filter', time: '2026-10-01T08:00:00Z', used: 12.25, hours: 10, by: 'Mia' }]
const GREASE = {
  ...{ id: 7, name: 'Grease', maintainDate: null, period: 200, usedHours: 210, since: '2026-01-02' },
  state: 'due' as const,
  device_serial_number: SN,
}
const conflict = (fields: string[]) => Response.json({ message: { code: 40009, message: 'Changed' }, data: { fields } })

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

async function open(action: string, answers: Record<string, unknown> = {}) {
  const rendered = await stage(DeviceScreen, {
    at: '/device/index?view=table',
    keys: KEYS,
    answers: {
      '/device/selectDevicePc': { list: [device(1)], total: 1, pageNum: 1, counts: { idle: 1 } },
      [INFO]: { list: PARTS, done: DONE, updateTime: 'T1' },
      [PLANS]: { list: [GREASE], done: [], updateTime: 'T1' },
      ...answers,
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'More: Kestrel 1' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
  return { ...rendered, dialog: within(await screen.findByRole('dialog')) }
}

test('[dialog.device_consumables] each part tells its hours in words and numbers', async () => {
  const { dialog } = await open('Consumable')
  const line = within((await dialog.findAllByText('Filter'))[0]?.closest('li') as HTMLElement)
  expect(line.getByText('Due soon')).toBeTruthy()
  expect(line.getByText('9.5 of 10 h · 95%')).toBeTruthy()
  expect(dialog.getByText('No replacements recorded')).toBeTruthy()
  expect(dialog.getByText('12.3 working hours')).toBeTruthy()
})

test('[dialog.device_consumables] [rule.consumable.life] only lives that changed and are greater than 0 are sent', async () => {
  const { dialog, of } = await open('Consumable', { [EDIT]: {} })
  const life = await dialog.findByRole('spinbutton', { name: 'Service life (h): Dust bag' })
  const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  expect(save.disabled).toBe(true)
  await userEvent.type(life, '0')
  expect(await dialog.findByText('Enter a number greater than 0')).toBeTruthy()
  expect(save.disabled).toBe(true)
  await userEvent.type(life, '.5')
  await userEvent.click(save)
  await waitFor(() =>
    expect(of(EDIT)[0]?.payload).toMatchObject({
      ...{ deviceSerialNumber: SN, updateTime: 'T1', items: [{ item: 'dust bag', lifeHours: 0.5 }] },
    }),
  )
})

test('[dialog.device_consumables] a part is marked as replaced, today unless a day is chosen', async () => {
  const { dialog, of } = await open('Consumable', { [REPLACE]: {} })
  await userEvent.click(await dialog.findByRole('button', { name: 'Mark as replaced: Filter' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Record replacement: Filter' }))
  await waitFor(() =>
    expect(of(REPLACE)[0]?.payload).toEqual({
      ...{ deviceSerialNumber: SN, item: 'filter', usedHours: 0, updateTime: 'T1' },
    }),
  )
})

test('[dialog.device_maintenance] "done" begins the next period, with another date or none', async () => {
  const { dialog, of } = await open('Maintenance', { [WRITE]: {} })
  expect(await dialog.findByText('210 of 200 h · 105%')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Mark as done' }))
  expect(dialog.getByText('A new interval starts when you save')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(of(WRITE)[0]?.payload).toEqual({
      ...{ device_serial_number: SN, updateTime: 'T1' },
      list: [{ id: 7, name: 'Grease', maintainDate: null, period: 200, done: true }],
    }),
  )
})

test('[dialog.device_maintenance] [rule.maintain.period] a new one wants its name and a period', async () => {
  const { dialog, of } = await open('Maintenance', { [WRITE]: {}, [PLANS]: { list: [], done: [], updateTime: 'T1' } })
  await userEvent.click(await dialog.findByRole('button', { name: 'Add maintenance' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Enter a name')).toBeTruthy()
  await userEvent.type(dialog.getByRole('textbox', { name: 'Work to do' }), 'Check')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Enter a number greater than 0')).toBeTruthy()
  expect(of(WRITE)).toHaveLength(0)
})

test('[dialog.device_maintenance] show a late editor what changed, and keep what was typed', async () => {
  let late = true
  let plan: object = GREASE
  const { dialog, of } = await open('Maintenance', {
    [WRITE]: () => (late ? conflict(['period']) : {}),
    [PLANS]: () => ({ list: [plan], done: [], updateTime: late ? 'T1' : 'T2' }),
  })
  const period = await dialog.findByRole('spinbutton', { name: 'Interval (working hours)' })
  await userEvent.type(dialog.getByRole('textbox', { name: 'Work to do' }), ' well')
  await userEvent.type(period, '5')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText(/someone else: Interval \(working hours\)/)).toBeTruthy()
  late = false
  plan = { ...GREASE, period: 300 }
  await userEvent.click(dialog.getByRole('button', { name: 'Refresh' }))
  const both = await dialog.findByRole('row', { name: /Grease: Interval/ })
  expect(
    within(both)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['300', '2,005'])
  await userEvent.click(dialog.getByRole('button', { name: 'Use theirs' }))
  expect(dialog.getByText('210 of 300 h · 70%')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: /Save/ }))
  await waitFor(() =>
    expect(of(WRITE)[1]?.payload).toMatchObject({ updateTime: 'T2', list: [{ name: 'Grease well', period: 300 }] }),
  )
})

test('send added parts and no removed ones, and use no name twice', () => {
  const { updateTime, ...values } = formRowOf({ list: [GREASE], updateTime: 'T1' })
  const check = { ...freshOf(0), 'new0 name': 'Check', 'new0 period': 5 }
  expect(payloadOf(drafts({ ...values, '7 removed': true, ...check }))).toEqual([
    { id: null, name: 'Check', maintainDate: null, period: 5, done: false },
  ])
  expect(faultsOf(drafts({ ...values, ...check, 'new0 name': 'grease ' })).get('new0')?.text).toBe('fault-twice')
})
