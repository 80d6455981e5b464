import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { BatchesScreen } from './batches-screen'
import { DeviceGroupsScreen } from './device-groups-screen'
import { PartsScreen } from './parts-screen'
import { rackRange } from './rules'

afterEach(() => vi.unstubAllGlobals())

const refused = (code: number, message: string, data: unknown) => () =>
  Response.json({ message: { code, message }, data })

const GROUP = {
  ...{ id: 4, name: 'Night shift', type: 3, userId: 3, userName: 'User', deviceIds: [1, 2] },
  ...{ common: 'Kestrel Quay Hotel', updateTime: '2026-11-21T14:00:00Z' },
}
const DEVICES = [1, 2].map((id) => ({
  ...{ deviceId: id, deviceSerialNumber: `SC000${id}`, deviceCode: `Kestrel ${id}`, typeId: 1, online: 1 },
}))

const groups = (answers: Record<string, unknown> = {}) =>
  stage(DeviceGroupsScreen, {
    at: '/device/group',
    keys: ['device/group'],
    answers: {
      '/deviceGroup/selectAll': { list: [GROUP] },
      '/device/selectAllDevice': { list: DEVICES },
      ...answers,
    },
  })

test('[route.device.group] a group shows its kind, what its devices have in common, and which they are', async () => {
  await groups()
  const line = within((await screen.findByRole('rowheader', { name: 'Night shift' })).closest('tr') as HTMLElement)
  await line.findByText('Kestrel 1 · Kestrel 2')
  expect(line.getByText('Same building')).toBeDefined()
  expect(line.getByText('Kestrel Quay Hotel')).toBeDefined()
  expect(line.getByRole('link', { name: /Show in device list/ }).getAttribute('href')).toBe('/device/index?group=4')
})

test('a group whose devices are no longer alike says so', async () => {
  await groups({ '/deviceGroup/selectAll': { list: [{ ...GROUP, common: '' }] } })
  expect(await screen.findByText('No longer matching')).toBeDefined()
})

test('[call.deviceGroup.delete] show which devices stay before a group is deleted', async () => {
  const { of } = await groups({ '/deviceGroup/delete': {} })
  await screen.findByText('Kestrel 1 · Kestrel 2')
  await userEvent.click(screen.getByRole('button', { name: 'Delete: Night shift' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/Its 2 devices stay/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(of('/deviceGroup/delete')[0]?.payload).toEqual({ id: 4, confirm: true }))
})

const CATEGORIES = [{ cate_id: 1, cate_name: 'Pump', updateTime: 'T1' }]
const PART = {
  ...{ id: 7, name: 'P-40', type: 'Pump', cate_id: 1, cate_name: 'Pump', hard_support_text: 'P-40', version: '1.4' },
  ...{ robots: 3, updateTime: 'T1' },
}
const parts = (answers: Record<string, unknown> = {}, at = '/device/hardSupportIndex') =>
  stage(PartsScreen, {
    at,
    keys: ['device/hardSupportIndex'],
    answers: {
      '/deviceHardSupport/list': { list: [PART] },
      '/deviceHardSupport/listCate': { list: CATEGORIES },
      '/deviceHardSupport/listCateGroup': { list: [{ ...CATEGORIES[0], children: [PART] }] },
      ...answers,
    },
  })

test('[route.device.hardSupportIndex] parts are narrowed to a category in the URL', async () => {
  const { of } = await parts({}, '/device/hardSupportIndex?category=1')
  await screen.findByText('P-40')
  expect(of('/deviceHardSupport/list')[0]?.payload).toEqual({ type: '1' })
})

test('[err.text.form_failed, rule.form.failed] a part is not sent without name and category; one that is fitted says in how many', async () => {
  const says = 'id: In use by robots: 3 (A · B · C)'
  const { of } = await parts({ '/deviceHardSupport/delete': refused(40000, says, { field: 'id', count: 3 }) })
  await userEvent.click(await screen.findByRole('button', { name: 'Add hardware part' }))
  const adding = within(await screen.findByRole('dialog'))
  await userEvent.click(adding.getByRole('button', { name: 'Add' }))
  expect(adding.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    'Enter a name',
    'Choose a category',
    'Form validation failed, please check',
  ])
  expect(of('/deviceHardSupport/insert')).toHaveLength(0)
  await userEvent.click(adding.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete: P-40' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('In use by robots: 3 (A · B · C)')).toBeDefined()
})

test('[call.deviceHardSupport.updateCate] a category is renamed', async () => {
  const { of } = await parts({ '/deviceHardSupport/updateCate': {} }, '/device/hardSupportIndex?view=categories')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit: Pump' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Name'), 's')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const category = { cateId: 1, cateName: 'Pumps', updateTime: 'T1' }
  await waitFor(() => expect(of('/deviceHardSupport/updateCate')[0]?.payload).toEqual(category))
})

const BATCH = {
  ...{ batchId: 9, batchName: 'Spring lot', rackRange: 'SC0001-SC0030', typeIds: [1], typeNames: ['Scrub 50'] },
  ...{ hardSupportIds: [7], robots: 12, updateTime: 'T1' },
}
const KEY = 'device/index/product/batch/index'
const batches = (answers: Record<string, unknown> = {}, keys = [KEY, 'device/index/edit_hardware']) =>
  stage(BatchesScreen, {
    at: `/${KEY}`,
    keys,
    answers: {
      '/deviceProductBatch/list': { list: [BATCH], total: 1, pageNum: 1 },
      '/device/selectDeviceType': { list: [{ typeId: 1, typeName: 'Scrub 50' }] },
      '/deviceHardSupport/list': { list: [PART] },
      ...answers,
    },
  })

test('[route.device.index.product.batch.index] [rule.batch.name] [rule.batch.model] [rule.batch.range_required] a batch is not sent before its fields are right', async () => {
  const { of } = await batches({ '/deviceProductBatch/insert': { batchId: 10 } })
  expect(await screen.findByText('Pump · P-40 1.4')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Add production batch' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  expect(dialog.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    'Enter a name',
    expect.stringContaining('SC0001-SC0030'),
    'Choose a device type',
    'Form validation failed, please check',
  ])
  await userEvent.type(dialog.getByLabelText('Name'), 'Summer lot')
  await userEvent.type(dialog.getByLabelText('Rack numbers'), 'SC0031-SC0060')
  await userEvent.click(dialog.getByRole('combobox', { name: 'Device types' }))
  await userEvent.click(await screen.findByText('Scrub 50', { selector: '.ant-select-item-option-content' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  await waitFor(() =>
    expect(of('/deviceProductBatch/insert')[0]?.payload).toEqual({
      ...{ batchName: 'Summer lot', rackRange: 'SC0031-SC0060', typeIds: [1], hardSupportIds: [] },
    }),
  )
})

test('fitting tells beforehand how many devices lack something, and is done when confirmed', async () => {
  const { of } = await batches({ '/deviceProductBatch/fit': { robots: 12, changed: 5, names: ['Kestrel 1'] } })
  await userEvent.click(await screen.findByRole('button', { name: 'Fit to devices: Spring lot' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('Devices in the batch: 12. Missing parts: 5')).toBeDefined()
  expect(of('/deviceProductBatch/fit').map(({ payload }) => payload)).toEqual([{ batchId: 9 }])
  await userEvent.click(dialog.getByRole('button', { name: 'Fit to devices' }))
  await waitFor(() => expect(of('/deviceProductBatch/fit')[1]?.payload).toEqual({ batchId: 9, confirm: true }))
})

test('[perm.button.device.index.edit_hardware] without its key nothing is fitted', async () => {
  await batches({}, [KEY])
  await screen.findByText('Spring lot')
  expect(screen.queryByRole('button', { name: /Fit to devices/ })).toBeNull()
})

test.each([
  ...['SC0001-SC0030', 'sc0001-SC0002', 'A-B01-A-B02', ' SC0001-SC0030 '].map((range) => [range, undefined]),
  ...['', 'SC0001~SC0030', 'SC1-SC0030', 'SC0002-SC0002', 'SC0030-SC0001', 'SC0001-SD0030', '0001-0030'].map(
    (range) => [range, 'fault-range'],
  ),
])('[rule.rack.join] [rule.rack.width] [rule.rack.gap] %s', (range, fault) => {
  expect(rackRange(range ?? '', {})).toBe(fault)
})
