import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setPreference } from '@/shared/theme/preferences'
import { stage } from '@/widgets/testing/test-stage'
import { DeviceSummaryScreen } from './device-summary-screen'
import { OnlineSummaryScreen } from './online-summary-screen'
import { ReportChartScreen } from './report-chart-screen'

const SUMS = {
  ...{ runs: 2, clearedRuns: 0, time: 5400, workArea: 1200, plannedArea: 1000, cleanedArea: 985, coverage: 985 },
  ...{ efficiency: 123456, liquidMl: 2700, distance: 10, warnCount: 0 },
}
const IDLE = {
  ...SUMS,
  runs: 0,
  time: 0,
  plannedArea: 0,
  cleanedArea: 0,
  coverage: null,
  efficiency: null,
  liquidMl: 0,
}
const SPAN = { startDate: '2026-11-22', endDate: '2026-11-23', unit: 'day' }
const PARTS = '/taskReport/chartParts'
const AROUND = {
  '/device/selectOwnUser': { list: [] },
  [PARTS]: { ...SPAN, list: [{ ...SUMS, key: '7', name: 'Kestrel L1-A' }] },
}
const NONE_SET = { targetArea: null, manualRate: null, manualWater: null, careMinutes: null }
const UNKNOWN = { robotDays: 2, targetArea: null, targetShare: null, savedTime: null, savedWaterMl: null }
const TARGET = '/taskReport/chartTarget'
const REPORTS = {
  ...AROUND,
  [TARGET]: { ...SPAN, target: NONE_SET, total: UNKNOWN, before: UNKNOWN, list: [] },
  '/taskReport/chart': {
    ...SPAN,
    list: [
      { ...IDLE, date: '2026-11-22' },
      { ...SUMS, date: '2026-11-23' },
    ],
  },
  '/taskReport/chartSummary': { ...SUMS, clearedRuns: 1, before: { ...SUMS, cleanedArea: 1_000_001 } },
}

const plain = (text: string | null | undefined) => text?.replaceAll(/\s/g, ' ') ?? ''

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('[route.reportChart] [perm.page.reportChart] a range stands in a sentence, as columns, in a table and taken apart', async () => {
  const { of } = await stage(ReportChartScreen, { at: '/reportChart', answers: REPORTS })
  expect(plain((await screen.findByText(/cleaned in/)).textContent)).toBe(
    '22 – 23 November 2026: 985 m² cleaned in 1 h 30 min. As many days before: 1 km².',
  )
  const table = within(await screen.findByRole('table', { name: 'Day by day' }))
  const [, , today] = table.getAllByRole('row')
  for (const figure of ['23 Nov 2026', '985 m²', '1 h 30 min', '98.5%', '1,235 m²/h'])
    expect(plain(today?.textContent)).toContain(figure)
  expect(plain(document.body.textContent)).toContain('no longer listed, since old data was cleared: 1')
  expect(await screen.findByText('Kestrel L1-A')).toBeDefined()
  expect(of(PARTS)[0]?.payload).toEqual({ by: 'robot' })
})

test('the sheets of a range end with the sum that the screen shows, but by group', async () => {
  const saved: Blob[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => {
        saved.push(blob)
        return 'blob:sheet'
      },
      revokeObjectURL: () => undefined,
    }),
  )
  setPreference('exportForm', 'csv')
  const user = userEvent.setup()
  const save = async (name: string) => {
    const before = saved.length
    await user.click(await screen.findByRole('button', { name: `Export ${name}.csv` }))
    await waitFor(() => expect(saved.length).toBe(before + 1))
    return (await saved.at(-1)?.text())?.trimEnd().split('\r\n').at(-1)
  }
  await stage(ReportChartScreen, { at: '/reportChart', answers: REPORTS })
  await screen.findByText('Kestrel L1-A')
  const sum = /^Sum,2,1000,985,1:30:00,98\.5%,1234\.56,/
  expect(await save('report-chart')).toMatch(sum)
  expect(await save('chart-parts')).toMatch(sum)
  await user.click(within(screen.getByRole('group', { name: 'Broken down' })).getByText('Device group'))
  expect(await save('chart-parts')).toMatch(/^Kestrel/)
})

test('show no figure that nobody has set, and let who may set it', async () => {
  const answers = { ...REPORTS, '/taskReport/target': { account: 'Kestrel', own: null, counts: NONE_SET } }
  const { of } = await stage(ReportChartScreen, { at: '/reportChart?userId=7', answers, keys: ['reportChart/target'] })
  expect(await screen.findByText('Shown once it is set how much a person cleans per hour.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Set targets' }))
  await screen.findByText('Targets of Kestrel')
  const dialog = within(screen.getByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Manual cleaning speed (m²/h)'), '310')
  await userEvent.type(dialog.getByLabelText('Water for manual cleaning (L/m²)'), '0')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Enter a number above 0.')).toBeDefined()
  await userEvent.clear(dialog.getByLabelText('Water for manual cleaning (L/m²)'))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(of('/taskReport/updateTarget')[0]?.payload).toEqual({ userId: 7, manualRate: 310 }))
})

test('target, hours and water stand in figures, at the column, in the table and in its sum', async () => {
  const day = { robotDays: 1, targetArea: 1000, targetShare: 985, savedTime: -1800, savedWaterMl: 194_300 }
  const total = { robotDays: 2, targetArea: 2000, targetShare: 493, savedTime: -1800, savedWaterMl: 194_300 }
  const answers = {
    ...REPORTS,
    [TARGET]: {
      ...SPAN,
      target: { targetArea: 1000, manualRate: 310, manualWater: 0.2, careMinutes: 60 },
      total,
      before: total,
      list: [
        { ...day, date: '2026-11-22', targetShare: 0, savedTime: 0, savedWaterMl: 0 },
        { ...day, date: '2026-11-23' },
      ],
    },
  }
  await stage(ReportChartScreen, { at: '/reportChart', answers })
  expect(plain((await screen.findByText('Target reached', { selector: 'dt' })).parentElement?.textContent)).toBe(
    'Target reached49.3%985 m² of 2,000 m²',
  )
  const hours = screen.getByText('Extra working hours').parentElement
  expect(plain(hours?.textContent)).toBe('Extra working hours30 mincompared with 310 m²/h for manual cleaning')
  expect(plain(screen.getByText('Water saved').parentElement?.textContent)).toContain('194 L')
  expect(screen.queryByRole('button', { name: 'Set targets' })).toBeNull()
  const chart = screen.getByRole('slider', { name: 'Cleaned area by day' })
  chart.focus()
  await userEvent.keyboard('{End}')
  expect(plain(chart.getAttribute('aria-valuetext'))).toBe('23 Nov 2026: 985 m²; Target: 1,000 m²')
  const table = within(await screen.findByRole('table', { name: 'Day by day' }))
  const [, , today] = table.getAllByRole('row')
  for (const figure of ['1,000 m²', '98.5%', '-0.5', '194.3']) expect(plain(today?.textContent)).toContain(figure)
})

test('[rule.report.range] [const.report_ranges] a range is chosen, and days of one’s own take its place', async () => {
  const { of } = await stage(ReportChartScreen, { at: '/reportChart?range=year', answers: REPORTS })
  await waitFor(() => expect(of('/taskReport/chart')[0]?.payload).toEqual({ range: 'year' }))
  for (const [name, range] of [
    ['Last 7 days', 'week'],
    ['Last 30 days', 'month'],
    ['Last 3 months', 'threeMonths'],
  ] as const) {
    await userEvent.click(await screen.findByRole('button', { name }))
    await waitFor(() => expect(of('/taskReport/chart').at(-1)?.payload).toEqual({ range }))
  }
  cleanup()
  const days = await stage(ReportChartScreen, { at: '/reportChart?from=2026-11-01&range=5%20years', answers: REPORTS })
  await waitFor(() => expect(days.of('/taskReport/chart')[0]?.payload).toEqual({ startDate: '2026-11-01' }))
})

test('arrow keys go from column to column, and each is read out', async () => {
  await stage(ReportChartScreen, { at: '/reportChart', answers: REPORTS })
  const chart = await screen.findByRole('slider', { name: 'Cleaned area by day' })
  chart.focus()
  const words = () => plain(chart.getAttribute('aria-valuetext'))
  await userEvent.keyboard('{End}')
  expect(words()).toBe('23 Nov 2026: 985 m²')
  await userEvent.keyboard('{ArrowRight}{ArrowLeft}')
  expect(words()).toBe('22 Nov 2026: 0 m²')
  await userEvent.click(within(screen.getByRole('group', { name: 'Figure' })).getByText('Coverage'))
  expect(words()).toBe('22 Nov 2026: nothing')
  await userEvent.keyboard('{Home}x')
})

test('[route.device.deviceSummary] [perm.page.device.deviceSummary] five figures, the online rate among them', async () => {
  const answers = {
    ...AROUND,
    '/summary/chart': { ...SPAN, list: [{ ...SUMS, date: '2026-11-23', onlineRate: 0.75 }] },
    '/summary/chartAll': { ...SUMS, onlineRate: 0.7512, before: SUMS },
  }
  await stage(DeviceSummaryScreen, { at: '/device/deviceSummary?figure=online', answers })
  expect(await screen.findByRole('slider', { name: 'Online rate by day' })).toBeDefined()
  expect(await screen.findByText('75.1%')).toBeDefined()
  expect(plain((await screen.findByRole('table', { name: 'Day by day' })).textContent)).toContain('75%')
})

test('[route.device.deviceOnLineSummary] [perm.page.device.deviceOnLineSummary] show how many robots were online', async () => {
  const list = [{ date: '2026-11-01', online: 7.25, total: 10, rate: 0.725 }]
  const whole = { online: 7.25, total: 10, rate: 0.725 }
  const answers = {
    ...AROUND,
    '/summary/chartOnLineNum': { ...SPAN, unit: 'month', list, whole, rate: 0.725, rateBefore: 0.5 },
  }
  await stage(OnlineSummaryScreen, { at: '/device/deviceOnLineSummary', answers })
  expect(plain((await screen.findByText(/of the time/)).textContent)).toBe(
    '22 – 23 November 2026: robots were online 72.5% of the time. As many days before: 50%.',
  )
  expect(plain((await screen.findByRole('table', { name: 'Month by month' })).textContent)).toMatch(
    /Nov 2026.*7\.3.*10\.0.*72\.5%/,
  )
  expect(plain(document.body.textContent)).toContain('1 result')
})
