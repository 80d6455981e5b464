import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { device, refusal, stage } from '@/widgets/testing/test-stage'
import { DeviceScreen } from './device-screen'

const LIST = '/device/selectDevicePc'
const page = (list: unknown[], total = list.length) => ({ list, total, pageNum: 1, counts: { idle: total } })
const AROUND = { '/device/selectDeviceType': { list: [] }, '/device/selectOwnUser': { list: [] } }

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

test('[feat.device_list.search] Enter and the button search; the search is kept in the session', async () => {
  const { of, router } = await stage(DeviceScreen, {
    at: '/device/index',
    answers: { ...AROUND, [LIST]: page([device(1)]) },
  })
  const field = await screen.findByRole('textbox', { name: 'Name or serial number' })
  await userEvent.type(field, 'S7{Enter}')
  await waitFor(() => expect(of(LIST).at(-1)?.payload).toMatchObject({ deviceCode: 'S7' }))
  expect(router.state.location.search).toBe('?text=S7')
  await userEvent.type(field, '8')
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  await waitFor(() => expect(of(LIST).at(-1)?.payload).toMatchObject({ deviceCode: 'S78' }))
  expect(sessionStorage.getItem('lustra-device-search')).toBe('text=S78')
})

test('[route.device.index] the last search of the session comes back when the page opens without one', async () => {
  sessionStorage.setItem('lustra-device-search', 'text=Orla')
  const { of } = await stage(DeviceScreen, { at: '/device/index', answers: { ...AROUND, [LIST]: page([device(1)]) } })
  await waitFor(() => expect(of(LIST).at(-1)?.payload).toMatchObject({ deviceCode: 'Orla' }))
})

test('[feat.device_list.user_param] userId in the route selects the owner', async () => {
  const { of } = await stage(DeviceScreen, { at: '/device/index?userId=5', answers: { ...AROUND, [LIST]: page([]) } })
  await waitFor(() => expect(of(LIST)[0]?.payload).toMatchObject({ userId: 5 }))
})

test('[call.device.selectDevicePc] a newer search cancels the older request', async () => {
  const answers = {
    ...AROUND,
    [LIST]: (payload: Record<string, unknown>) => (payload.deviceCode ? page([]) : new Promise(() => {})),
  }
  const { of } = await stage(DeviceScreen, { at: '/device/index', answers })
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name or serial number' }), 'x{Enter}')
  await waitFor(() => expect(of(LIST)[0]?.signal?.aborted).toBe(true))
})

test('[feat.device_list.scroll] [const.device_list_page_size] [rule.page.size] pages of 30 come until all are there', async () => {
  const all = Array.from({ length: 70 }, (_, i) => device(i + 1))
  const answers = {
    ...AROUND,
    [LIST]: ({ currentPage, pageSize }: Record<string, unknown>) =>
      page(all.slice((Number(currentPage) - 1) * Number(pageSize), Number(currentPage) * Number(pageSize)), 70),
  }
  const { of } = await stage(DeviceScreen, { at: '/device/index', answers })
  await waitFor(() => expect(of(LIST).map((request) => request.payload.currentPage)).toEqual([1, 2, 3]))
  expect(of(LIST).every((request) => request.payload.pageSize === 30)).toBe(true)
})

test('a next page that fails is asked for once and offers another try', async () => {
  const first = Array.from({ length: 30 }, (_, i) => device(i + 1))
  const answers = {
    ...AROUND,
    [LIST]: ({ currentPage }: Record<string, unknown>) => (currentPage === 1 ? page(first, 70) : refusal('Too much')),
  }
  const { of } = await stage(DeviceScreen, { at: '/device/index', answers })
  expect(await screen.findByText('Too much')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
  expect(of(LIST).filter((request) => request.payload.currentPage === 2)).toHaveLength(1)
})

test('[state.device_online] an offline robot says since when and why', async () => {
  const silent = device(4, {
    mode: 'offline',
    online: 0,
    offlineReason: 'switched_off',
    offlineSince: '2026-11-19T11:06:00Z',
  })
  await stage(DeviceScreen, { at: '/device/index?view=table', answers: { ...AROUND, [LIST]: page([silent]) } })
  expect(await screen.findByText(/^Powered off since 19 Nov 2026/)).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Open control page: Kestrel 4' })).toBeNull()
})

test('[route.device.index] a robot in need leads to its control page with one click', async () => {
  const stuck = device(7, { mode: 'help', help: 'stuck', mapId: null })
  await stage(DeviceScreen, { at: '/device/index', answers: { ...AROUND, [LIST]: page([stuck]) } })
  const open = await screen.findByRole('link', { name: 'Open control page: Kestrel 7' })
  expect(open.getAttribute('href')).toBe('/control/v3/7')
  expect(screen.getByText('Stuck')).toBeDefined()
})

test('no device yet, no match and a refusal are three different texts', async () => {
  const none = { ...AROUND, [LIST]: page([]) }
  await stage(DeviceScreen, { at: '/device/index', answers: none })
  expect(await screen.findByText(/^No devices yet/)).toBeDefined()
  await stage(DeviceScreen, { at: '/device/index?text=zzz', answers: none })
  expect(await screen.findByText('No matches for this filter')).toBeDefined()
  await stage(DeviceScreen, { at: '/device/index', answers: { ...AROUND, [LIST]: () => refusal('Not allowed here') } })
  expect(await screen.findByText('Not allowed here')).toBeDefined()
})

test('[err.text.data_download_failed] a list that does not come says that the download failed', async () => {
  const broken = () => {
    throw new TypeError('no network')
  }
  await stage(DeviceScreen, { at: '/device/index', answers: { ...AROUND, [LIST]: broken } })
  expect((await screen.findByRole('alert')).textContent).toContain('Data download failed')
})
