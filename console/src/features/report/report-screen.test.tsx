import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { ReportDetailScreen } from './report-detail-screen'
import { ReportScreen } from './report-screen'

const LIST = '/taskReport/list'
const AROUND = { '/device/selectOwnUser': { list: [] } }
const REPORT = {
  ...{ taskReportId: 418, gid: 'g', deviceId: 7, deviceCode: 'Kestrel L1-A', deviceSerialNumber: 'SC0007', mapId: 1 },
  ...{ customerName: 'user', building: 'Kestrel Quay Hotel', floor: '1', mapName: 'L1', taskName: 'Evening clean' },
  ...{ startTime: '2026-11-20T18:02:00Z', endTime: '2026-11-20T19:05:00Z', seconds: 3780, end: 'finished' },
  ...{
    workArea: 624,
    reachableArea: 596,
    plannedArea: 596,
    cleanedArea: 579,
    coverage: 971,
    efficiency: 58900,
    factor: 1,
  },
  ...{ batteryFrom: 91, batteryTo: 43, liquidMl: 2700, distance: 1800, pauses: 1, warnCount: 2 },
  ...{ cleanMode: 'clean', route: 'bow', speed: 'middle' },
  ...{ byHand: '', editor: '', editTime: null, original: null, updateTime: '2026-11-20T19:05:00Z' },
}

afterEach(() => vi.unstubAllGlobals())

test('[route.device.report] [rule.report.coverage] [rule.report.efficiency] a run stands with its figures', async () => {
  await stage(ReportScreen, { at: '/device/report', answers: { ...AROUND, [LIST]: { list: [REPORT], total: 1 } } })
  const row = (await screen.findByText('Evening clean')).closest('tr')
  for (const figure of ['97.1%', '589 m²/h', '1 h 3 min', '579 m²', '2.7 L', 'Finished', 'floor 1'])
    expect(row?.textContent?.replaceAll('\u00a0', ' ')).toContain(figure)
})

test('[call.taskReport.list] filters of the URL go into the call', async () => {
  const at = '/device/report?deviceId=7&userId=12&from=2026-11-01&to=2026-11-20&end=failed&page=2'
  const answers = { ...AROUND, [LIST]: { list: [], total: 0 }, '/device/selectDeviceByDeviceId': {} }
  const { of } = await stage(ReportScreen, { at, answers })
  await waitFor(() =>
    expect(of(LIST)[0]?.payload).toEqual({
      ...{ deviceIds: [7], userId: 12, startDate: '2026-11-01', endDate: '2026-11-20', end: 'failed' },
      ...{ currentPage: 2, pageSize: 24 },
    }),
  )
  expect(await screen.findByText('No matches for this filter')).toBeDefined()
})

test('[feat.export] the list is saved as export.xlsx, by the same filter', async () => {
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} })
  const answers = {
    ...AROUND,
    [LIST]: { list: [REPORT], total: 1 },
    '/taskReport/export': () => new Response('PK', { headers: { 'Content-Type': 'application/octet-stream' } }),
  }
  const { of } = await stage(ReportScreen, { at: '/device/report?text=Lobby', answers })
  await screen.findByText('Evening clean')
  await userEvent.click(screen.getByRole('button', { name: /export\.xlsx/ }))
  await waitFor(() => expect(saved).toEqual(['export.xlsx']))
  expect(of('/taskReport/export')[0]?.payload).toEqual({ text: 'Lobby', form: 'xlsx' })
})

test('[route.device.report] a report splits the planned area into cleaned, missed and unreachable', async () => {
  const answers = {
    '/taskReport/detail': { ...REPORT, cells: null, driven: [], map: null },
    '/taskReport/neighbours': {
      earlierId: 417,
      laterId: null,
      before: { ...REPORT, taskReportId: 300, coverage: 989 },
    },
  }
  const place = { at: '/device/report/418', path: '/device/report/:taskReportId' }
  await stage(ReportDetailScreen, { ...place, answers })
  expect(await screen.findByText('97.1%')).toBeDefined()
  const text = document.body.textContent?.replaceAll('\u00a0', ' ')
  for (const part of ['579 m²', '17 m²', '28 m²', 'The robot did not send a map of this run.'])
    expect(text).toContain(part)
  const hrefs = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  await screen.findByRole('link', { name: 'This robot’s run before' })
  expect(hrefs()).toEqual(expect.arrayContaining(['/device/report/417', '/device/report/300']))
  expect(screen.queryByRole('link', { name: 'This robot’s run after' })).toBeNull()
  expect(document.body.textContent).toContain('98.9%')
})

test('ask nothing for an invalid report number, and say so', async () => {
  const { of } = await stage(ReportDetailScreen, {
    at: '/device/report/x',
    path: '/device/report/:taskReportId',
    answers: {},
  })
  expect(await screen.findByText(/does not exist/)).toBeDefined()
  expect(of('/taskReport/detail')).toEqual([])
})

test('[call.taskReport.listChildTask] a run of a group shows the others, each a link; one that ran alone shows none', async () => {
  const other = { ...REPORT, taskReportId: 419, taskName: 'Evening bar' }
  const answers = (list: object[]) => ({
    '/taskReport/detail': { ...REPORT, ownerUserId: 1, closed: true, map: null, cells: null, driven: [] },
    '/taskReport/listChildTask': { list },
  })
  const at = { at: '/device/report/418', path: '/device/report/:taskReportId' }
  const { of } = await stage(ReportDetailScreen, { ...at, answers: answers([REPORT, other]) })
  expect((await screen.findByRole('link', { name: 'Evening bar' })).getAttribute('href')).toBe('/device/report/419')
  expect(screen.getByRole('link', { name: 'Evening clean' }).getAttribute('aria-current')).toBe('page')
  expect(of('/taskReport/listChildTask')[0]?.payload).toEqual({ gid: 'g' })
  cleanup()
  const alone = await stage(ReportDetailScreen, { ...at, answers: answers([REPORT]) })
  await waitFor(() => expect(alone.of('/taskReport/listChildTask')).toHaveLength(1))
  expect(screen.queryByText('Runs of this group')).toBeNull()
})

test('[call.taskReport.editTaskReport] name who corrected a run and the robot’s figures, and send only what changed', async () => {
  const edited = {
    ...{
      ...REPORT,
      byHand: 'edited',
      editor: 'Bright Floors',
      editTime: '2026-11-21T08:00:00Z',
      map: null,
      cells: null,
    },
    ...{ driven: [], closed: true, ownerUserId: 1, plannedArea: 600 },
    original: {
      ...{ taskName: 'x', startTime: REPORT.startTime, endTime: REPORT.endTime },
      workArea: 90,
      cleanedArea: 12,
    },
  }
  const answers = { ...AROUND, '/taskReport/detail': edited, '/taskReport/editTaskReport': {} }
  const place = { at: '/device/report/418', path: '/device/report/:taskReportId' }
  const { of } = await stage(ReportDetailScreen, { ...place, answers })
  expect(await screen.findByText(/Changed manually: Bright Floors.*12.m² of 90.m²/)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  const area = await screen.findByLabelText('Cleaned area')
  await userEvent.clear(area)
  await userEvent.type(area, '500')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(of('/taskReport/editTaskReport')[0]?.payload).toEqual({
      ...{ taskReportId: 418, updateTime: '2026-11-20T19:05:00Z', cleanedArea: 500 },
    }),
  )
})

test('[call.taskReport.deleteTaskReport] a run is deleted once that is confirmed', async () => {
  const answers = {
    ...AROUND,
    '/taskReport/detail': { ...REPORT, map: null, cells: null, driven: [], closed: true, ownerUserId: 1 },
    '/taskReport/deleteTaskReport': { count: 1 },
  }
  const { of } = await stage(ReportDetailScreen, {
    at: '/device/report/418',
    path: '/device/report/:taskReportId',
    answers,
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  const [, confirm] = await screen.findAllByRole('button', { name: 'Delete' })
  if (confirm) await userEvent.click(confirm)
  await waitFor(() => expect(of('/taskReport/deleteTaskReport')[0]?.payload).toEqual({ taskReportId: 418 }))
})

test('[call.taskReport.insertTaskReport] a run is entered for the robot that is chosen, and not before it has a name', async () => {
  const answers = {
    ...{ ...AROUND, [LIST]: { list: [], total: 0 }, '/taskReport/insertTaskReport': { taskReportId: 5 } },
    '/device/selectDevicePc': { list: [{ deviceId: 7, deviceCode: 'L1-A', deviceSerialNumber: 'SC0007' }], total: 1 },
    '/device/selectDeviceByDeviceId': { deviceId: 7, deviceCode: 'L1-A', deviceSerialNumber: 'SC0007' },
  }
  const { of } = await stage(ReportScreen, { at: '/device/report', answers })
  await userEvent.click(await screen.findByRole('button', { name: 'Add report' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('combobox', { name: 'Device' }))
  await userEvent.click(await screen.findByText('L1-A · SC0007'))
  const add = dialog.getByRole('button', { name: 'Add' })
  await userEvent.click(add)
  expect(dialog.getByText('This field is required')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Task'), 'Lobby')
  await userEvent.click(add)
  await waitFor(() =>
    expect(of('/taskReport/insertTaskReport')[0]?.payload).toMatchObject({
      deviceId: 7,
      taskName: 'Lobby',
      cleanedArea: 0,
    }),
  )
})

test('a month of runs is saved as a sealed PDF, of the owner that the list shows', async () => {
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} })
  const answers = {
    ...{ ...AROUND, [LIST]: { list: [REPORT], total: 1 } },
    '/taskReport/month': () => new Response('%PDF', { headers: { 'Content-Type': 'application/pdf' } }),
  }
  const { of } = await stage(ReportScreen, { at: '/device/report?userId=12', answers })
  await userEvent.click(await screen.findByRole('button', { name: 'Month report' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'PDF' }))
  const month = (dialog.getByLabelText('Month') as HTMLInputElement).value
  expect(month).toMatch(/^\d{4}-\d{2}$/)
  await waitFor(() => expect(saved).toEqual([`report-${month}.pdf`]))
  expect(of('/taskReport/month')[0]?.payload).toEqual({ month, form: 'pdf', userId: 12 })
})

test('a run says what it did not clean, why, and how often in a week', async () => {
  const patch = { at: [1, 1], corners: [[0, 0]], start: [1, 1], content: '', code: '', room: '', times: 1 }
  const map = { mapId: 1, revision: 1, resolution: 0.05, origin: [0, 0, 0], width: 4, height: 4 }
  const answers = {
    ...AROUND,
    '/taskReport/detail': { ...REPORT, map, cells: null, driven: [], closed: false, ownerUserId: 1 },
    '/taskReport/floor': () => new Response('', { status: 404 }),
    '/taskReport/notCleaned': {
      ...{ known: true, missedArea: 8.3, blockedArea: 8.8, unreachableArea: 27.9 },
      ...{ missed: null, blocked: null, unreachable: null },
      list: [
        { ...patch, kind: 'missed', area: 8.3, room: 'Lobby', times: 3 },
        { ...patch, kind: 'blocked', area: 8.8, at: [2, 2], code: 'stuck', content: 'Stuck' },
        { ...patch, kind: 'unreachable', area: 27.9, start: null },
      ],
    },
  }
  const at = { at: '/device/report/418', path: '/device/report/:taskReportId', keys: ['device/report'] }
  await stage(ReportDetailScreen, { ...at, answers })
  const panel = within(
    (await screen.findByRole('heading', { name: 'Not cleaned' })).closest('section') ?? document.body,
  )
  expect(panel.getAllByRole('listitem').map((row) => row.textContent?.replaceAll('\u00a0', ' '))).toEqual([
    'BlockedStuck8.8 m²',
    'Missed · Lobbypassed overSame place: 3× in 7 days8.3 m²',
  ])
  expect(panel.queryByRole('button', { name: /Clean the/ })).toBeNull()
})
