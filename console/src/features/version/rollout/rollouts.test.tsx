import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { RolloutsScreen } from './rollouts-screen'

const TIMES = { createTime: '2026-11-20T10:00:00Z', stepTime: '2026-11-20T10:00:00Z', endTime: null }
const ROLLOUT = {
  ...{
    id: 4,
    kind: 'update',
    versionKind: 'soft',
    name: 'Navigation v2',
    version: '2.0.0',
    size: 2048,
    state: 'paused',
    step: 0,
  },
  ...{ reason: 'health_worse', steps: [100], stepGroups: ['Ward'], perMinute: 0 },
  ...{ failureShare: 10, pauseMinutes: 0, charging: false, fromMinute: null },
  ...{ toMinute: null, healthRuns: 3, healthDays: 7, robots: 2, confirmed: 1, failed: 0, ...TIMES },
}
const MEASURES = [
  { name: 'alarms', before: 0.25, after: 2, limit: 50, robots: 1, worse: true },
  { name: 'coverage', before: 0.9, after: 0.89, limit: 5, robots: 1, worse: false },
  { name: 'battery', before: null, after: null, limit: 25, robots: 0, worse: false },
]
const ROBOT = {
  ...{ deviceId: 1, deviceSerialNumber: 'SC0001', deviceCode: 'Lobby', step: 0, target: '2.0.0', former: '1.0.0' },
  ...{ state: 'confirmed', reason: '', have: 0, runs: 3, updateTime: TIMES.createTime },
}

test('a roll-out that was stopped by the health of its robots shows the figures before and after', async () => {
  await stage(RolloutsScreen, {
    ...{ at: '/version/soft/rollout?rollout=4', keys: ['version/soft'] },
    answers: {
      '/version/selectRollouts': { list: [ROLLOUT], total: 1, pageNum: 1 },
      '/version/selectRollout': { ...ROLLOUT, health: MEASURES, list: [ROBOT] },
    },
  })
  expect(await screen.findByText(/Devices do worse on this version/)).toBeTruthy()
  const alarms = screen.getByRole('row', { name: /Alarms per hour/ })
  expect(within(alarms).getByText('0.25')).toBeTruthy()
  expect(within(alarms).getByText('700%')).toBeTruthy()
  expect(within(alarms).getByText('Worse')).toBeTruthy()
  expect(within(screen.getByRole('row', { name: /Coverage/ })).getByText('Within the limit')).toBeTruthy()
  expect(within(screen.getByRole('row', { name: /Battery/ })).getByText('Nothing to compare')).toBeTruthy()
  expect(within(screen.getByRole('row', { name: /Lobby/ })).getByText('3 of 3')).toBeTruthy()
})
