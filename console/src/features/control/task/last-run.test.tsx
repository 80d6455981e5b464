/** Where no task runs, the last run says what it came to and leads to its report. */
import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { type Scope, ScopeOf } from '../scope'
import { LastRun } from './last-run'

const RUN = {
  ...{ taskReportId: 41, taskName: 'Lobby', end: 'finished', endTime: '2026-03-05T14:30:00Z' },
  ...{ coverage: 985, cleanedArea: 17 },
}
const SCOPE = { deviceId: 1, protocol: 3, online: true } as Scope

const show = (list: object[], keys = ['device/report']) =>
  stage(
    () => (
      <ScopeOf value={SCOPE}>
        <LastRun />
        <p>drawn</p>
      </ScopeOf>
    ),
    { at: '/control', keys, answers: { '/taskReport/list': { list, total: list.length, pageNum: 1 } } },
  )

afterEach(() => vi.unstubAllGlobals())

test('the last run says its task, its end, its coverage, and where its report is', async () => {
  const { of } = await show([RUN])
  expect((await screen.findByRole('link', { name: 'Open report' })).getAttribute('href')).toBe('/device/report/41')
  screen.getByText(/^Last run: Lobby · /)
  expect(screen.getByText('Finished').parentElement?.textContent).toBe('Finished · 98.5% · 17\u00A0m²')
  expect(of('/taskReport/list')[0]?.payload).toEqual({ deviceIds: [1], currentPage: 1, pageSize: 1 })
})

test('a run that goes on is not the last one', async () => {
  const running = await show([{ ...RUN, end: 'running' }])
  await vi.waitFor(() => expect(running.of('/taskReport/list')).toHaveLength(1))
  await screen.findByText('drawn')
  expect(screen.queryByText(/^Last run/)).toBeNull()
})

test('ask for no reports without the right', async () => {
  const { of } = await show([RUN], ['device_control/index'])
  await screen.findByText('drawn')
  expect(of('/taskReport/list')).toEqual([])
})
