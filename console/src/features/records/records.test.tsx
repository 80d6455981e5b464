import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { device, stage } from '@/widgets/testing/test-stage'
import { LeasesScreen } from './leases-screen'
import { RepairsScreen } from './repairs-screen'

const REPAIR = {
  ...{ id: 4, deviceId: 1, deviceCode: 'Kestrel 1', deviceSerialNumber: 'SC0001', type: 'Brush', detail: 'Stuck' },
  ...{ date: '2026-11-01', operator: 'Mia', processor: '', processTime: null, processPlan: '', state: 0, ours: true },
  updateTime: 'T1',
}
const LEASE = {
  ...{ id: 9, deviceId: 1, deviceCode: 'Kestrel 1', deviceSerialNumber: 'SC0001', lesseeUserId: 4, remark: '' },
  ...{ customerName: 'Harbour Clinic', startDate: '2026-10-01', endDate: '2026-11-01', stoppedAt: null },
  ...{ stoppedBy: '', things: null, state: 0, overdue: true, ours: true },
}
const AROUND = {
  '/device/selectDevicePc': { list: [device(1)], total: 1, pageNum: 1, counts: { idle: 1 } },
  '/device/selectDeviceByDeviceId': device(1),
  '/device/selectOwnUser': { list: [{ userId: 4, name: 'Clinic', levelDepth: 4, childs: [] }] },
}
const ALL = ['device/repair', 'device/repair/delete', 'device/hire', 'device/hire/stop']

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

const repairs = (answers: Record<string, unknown> = {}, at = '/device/repair', keys = ALL) =>
  stage(RepairsScreen, {
    ...{ at, keys },
    answers: { ...AROUND, '/repair/list': { list: [REPAIR], total: 1, pageNum: 1 }, ...answers },
  })

const leases = (answers: Record<string, unknown> = {}, at = '/device/hire', keys = ALL) =>
  stage(LeasesScreen, {
    ...{ at, keys },
    answers: { ...AROUND, '/hire/list': { list: [LEASE], total: 1, pageNum: 1 }, ...answers },
  })

test('[route.device.repair] the filters stand in the address and are asked for; what cannot be is left out', async () => {
  const { of } = await repairs({}, '/device/repair?text=brush&state=1&device=x&from=2026-11-01&to=2026-11-20&page=2')
  await screen.findByText('Stuck')
  expect(of('/repair/list')[0]?.payload).toEqual({
    ...{ currentPage: 2, pageSize: 30, text: 'brush', state: 1, startDate: '2026-11-01', endDate: '2026-11-20' },
  })
})

test('[route.device.repair] show no button to delete a repair without the right', async () => {
  await repairs({}, '/device/repair', ['device/repair'])
  expect(await screen.findByRole('button', { name: /^Edit/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull()
})

test('[route.device.repair] of a repair that is not theirs people see the line alone', async () => {
  await repairs({ '/repair/list': { list: [{ ...REPAIR, ours: false }], total: 1, pageNum: 1 } })
  expect((await screen.findByRole('row', { name: /Kestrel 1/ })).textContent).toContain('Pending')
  expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull()
})

test('[state.repair.t01] a repair is taken over by somebody; only what changed is sent', async () => {
  const { of } = await repairs({ '/repair/updateRepair': {} })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit: Brush, Kestrel 1' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('radio', { name: 'In progress' }))
  expect(dialog.queryByRole('radio', { name: 'Handled' })).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('This field is required')).toBeTruthy()
  await userEvent.type(dialog.getByRole('textbox', { name: 'Handled by' }), 'Sam')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(of('/repair/updateRepair')[0]?.payload).toEqual({ id: 4, state: 1, processor: 'Sam', updateTime: 'T1' }),
  )
})

test('[call.repair.insertRepair] a repair wants its robot, type and detail', async () => {
  const { of } = await repairs({ '/repair/insertRepair': { id: 5 } }, '/device/repair?device=1')
  await userEvent.click(await screen.findByRole('button', { name: 'Report a fault' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  expect(dialog.getAllByText('This field is required')).toHaveLength(2)
  await userEvent.type(dialog.getByRole('textbox', { name: 'Type' }), 'Wheel')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Details' }), 'Squeaks')
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  await waitFor(() =>
    expect(of('/repair/insertRepair')[0]?.payload).toMatchObject({ deviceId: 1, type: 'Wheel', detail: 'Squeaks' }),
  )
})

test('[q.delete_before_time] delete nothing before a day is chosen', async () => {
  await repairs()
  await userEvent.click(await screen.findByRole('button', { name: 'Delete older than…' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
})

test('[route.device.hire] an overdue lease says so, and ending it asks what becomes of the things', async () => {
  const { of } = await leases({ '/hire/stopHire': {} })
  expect((await screen.findByRole('row', { name: /Kestrel 1/ })).textContent).toContain('Overdue')
  await userEvent.click(screen.getByRole('button', { name: 'End lease: Kestrel 1' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: /Keep with the previous owner/ }).checked).toBe(true)
  await userEvent.click(dialog.getByRole('radio', { name: /Erase everywhere/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'End lease' }))
  await waitFor(() => expect(of('/hire/stopHire')[0]?.payload).toEqual({ id: 9, things: 'erase' }))
})

test('[route.device.hire] the lessee, and who lacks the key, ends nothing', async () => {
  await leases({ '/hire/list': { list: [{ ...LEASE, ours: false }], total: 1, pageNum: 1 } })
  await screen.findByText('Harbour Clinic')
  expect(screen.queryByRole('button', { name: /^End lease/ })).toBeNull()
})

test('[call.hire.insertHire] without an account a lease is recorded only, and wants a lessee', async () => {
  const { of } = await leases({ '/hire/insertHire': { id: 5 } }, '/device/hire?device=1&state=overdue')
  await screen.findByText('Harbour Clinic')
  expect(of('/hire/list')[0]?.payload).toMatchObject({ deviceId: 1, state: 0, overdue: true })
  await userEvent.click(await screen.findByRole('button', { name: 'Record lease' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await dialog.findByText('This field is required')).toBeTruthy()
  expect(dialog.queryByRole('radio')).toBeNull()
  await userEvent.type(dialog.getByRole('textbox', { name: 'Lessee' }), 'Harbour Clinic')
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(of('/hire/insertHire')).toHaveLength(1))
  expect(of('/hire/insertHire')[0]?.payload).toMatchObject({ deviceId: 1, customerName: 'Harbour Clinic' })
  expect(of('/hire/insertHire')[0]?.payload).not.toHaveProperty('lesseeUserId')
})

test('[call.hire.insertHire] to an account a robot is leased with its things, and erasing them warns', async () => {
  const { of } = await leases({ '/hire/insertHire': { id: 5 } }, '/device/hire?device=1')
  await userEvent.click(await screen.findByRole('button', { name: 'Record lease' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('combobox', { name: 'Account of the lessee' }))
  await userEvent.click(await screen.findByText('Clinic', { selector: '.ant-cascader-menu-item-content' }))
  await userEvent.click(await dialog.findByRole('radio', { name: /Erase everywhere/ }))
  const add = dialog.getByRole('button', { name: 'Add' })
  expect(add.className).toContain('dangerous')
  await userEvent.click(add)
  await waitFor(() =>
    expect(of('/hire/insertHire')[0]?.payload).toMatchObject({ deviceId: 1, lesseeUserId: 4, things: 'erase' }),
  )
})

test('restore the typed fields of a lease after the dialog was left in passing', async () => {
  await leases({}, '/device/hire?device=1')
  const open = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Record lease' }))
    return within(await screen.findByRole('dialog'))
  }
  await userEvent.type((await open()).getByRole('textbox', { name: 'Lessee' }), 'Harbour')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await open()).getByRole<HTMLInputElement>('textbox', { name: 'Lessee' }).value).toBe('Harbour')
})
