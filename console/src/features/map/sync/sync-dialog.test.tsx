import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import type { MapRow } from '../row'
import { SyncDialog } from './sync-dialog'
import { newest } from './sync-progress'

afterEach(() => vi.unstubAllGlobals())

const map = { mapId: 7, name: 'Lobby' } as MapRow
const robot = (deviceId: number, change: Record<string, unknown> = {}) => ({
  ...{ deviceId, deviceCode: `Kestrel ${deviceId}`, deviceSerialNumber: `SC${deviceId}`, building: 'Quay', floor: '1' },
  ...{ online: true, revision: 0, there: 'none' },
  ...change,
})
const row = (deviceId: number, change: Record<string, unknown> = {}) => ({
  ...{ syncId: 3, mapId: 7, name: 'Lobby', revision: 4, createTime: '2026-11-21T14:00:00Z', deviceId },
  ...{ deviceCode: `Kestrel ${deviceId}`, building: 'Quay', floor: '1', online: true, state: 'sending', reason: '' },
  ...{ have: 1, size: 4, attempts: 1, until: '2026-11-28T14:00:00Z', updateTime: '2026-11-21T14:00:00Z' },
  ...change,
})

async function open(robots: unknown[], rows: unknown[] = []) {
  const requests = await stage(() => <SyncDialog map={map} onClose={() => {}} />, {
    at: '/device/maplist',
    answers: {
      '/map/syncTargets': { list: robots },
      '/map/selectSync': { list: rows },
      '/map/syncMap': { syncId: 3 },
      '/map/retrySync': {},
      '/map/cancelSync': {},
    },
  })
  return { requests, dialog: await screen.findByRole('dialog') }
}

const sent = (requests: Awaited<ReturnType<typeof stage>>, path: string) =>
  requests.of(path).map((request) => request.payload)

test('robots are chosen building by building; who has the very map is not', async () => {
  const { requests, dialog } = await open([robot(1), robot(2, { online: false }), robot(3, { there: 'same' })])
  const box = (name: RegExp) => within(dialog).findByRole<HTMLInputElement>('checkbox', { name })
  expect((await box(/Kestrel 3/)).disabled).toBe(true)
  expect(within(dialog).getByText('Offline')).toBeDefined()
  await userEvent.click(await box(/All in Quay/))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Send to 2 robots' }))
  expect(sent(requests, '/map/syncMap')).toEqual([{ mapId: 7, deviceIds: [1, 2], replace: false }])
})

test('replace the robot’s own changes only when that is ticked', async () => {
  const { requests, dialog } = await open([robot(1, { there: 'newer' })])
  await userEvent.click(await within(dialog).findByRole('checkbox', { name: /Kestrel 1/ }))
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Replace changes made on the robots' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Send to 1 robot' }))
  expect(sent(requests, '/map/syncMap')).toEqual([{ mapId: 7, deviceIds: [1], replace: true }])
})

test('[state.map_sync] each robot shows how far it is, and can be stopped or tried again', async () => {
  const { requests, dialog } = await open(
    [robot(1)],
    [
      row(1),
      row(2, { state: 'receive_failed', reason: 'sync_conflict' }),
      row(4, { state: 'waiting', online: false }),
      row(5, { state: 'received' }),
      row(6, { state: 'sent', reason: 'map.task_running' }),
    ],
  )
  const bar = await within(dialog).findByRole('progressbar', { name: 'Kestrel 1' })
  expect(bar.getAttribute('aria-valuenow')).toBe('25')
  expect(within(dialog).getByText('The robot’s own map with this name was changed')).toBeDefined()
  expect(within(dialog).getByText('Waiting for the robot to come online')).toBeDefined()
  expect(within(dialog).getByText('Map received')).toBeDefined()
  expect(within(dialog).getByText('Applied when the running task ends')).toBeDefined()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel: Kestrel 1' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Replace and send again: Kestrel 2' }))
  expect(sent(requests, '/map/cancelSync')).toEqual([{ syncId: 3, deviceId: 1 }])
  expect(sent(requests, '/map/retrySync')).toEqual([{ syncId: 3, deviceId: 2, replace: true }])
})

test('of several syncs of a robot the newest counts', () => {
  const rows = [row(1, { syncId: 9 }), row(1, { syncId: 8 }), row(2)] as Parameters<typeof newest>[0]
  expect(newest(rows).map((sync) => sync.syncId)).toEqual([9, 3])
})
