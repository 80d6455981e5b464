import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { BackupsScreen } from './backups-screen'

const BACKUP = {
  ...{ id: 4, deviceId: 1, deviceCode: 'Lobby', deviceSerialNumber: 'SC0001', fileName: 'SC0001-1.zip' },
  ...{ size: 2048, sent: 2048, status: 'finished', reason: '', time: '2026-11-20T10:00:00Z', planned: false },
  ...{ finishedTime: '2026-11-20T10:01:00Z', packed: true, counts: { map: 2, task: 3, setting: 8 }, ours: true },
  restore: null,
}
const RESTORE = {
  ...{ id: 9, deviceId: 2, deviceCode: 'Hall', state: 'waiting', reason: 'map.task_running' },
  ...{ createTime: BACKUP.time, updateTime: BACKUP.time },
}
const ROBOTS = [
  {
    ...{ deviceId: 1, deviceSerialNumber: 'SC0001', deviceCode: 'Lobby', online: true, backups: 1 },
    ...{ lastTime: BACKUP.finishedTime, everyDays: 14, keep: 3 },
  },
]
const PREVIEW = {
  ...{ same: 7, versions: { software: '1.0', firmware: '7' }, presentVersions: { software: '1.1', wheels: '3' } },
  list: [
    { kind: 'map', name: 'Ground', change: 'changed' },
    { kind: 'task', name: 'Ground/New', change: 'removed' },
  ],
}

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

const show = (rows: readonly object[], answers: Record<string, unknown> = {}, at = '/device/dataBackup') =>
  stage(BackupsScreen, {
    at,
    keys: ['device/dataBackup'],
    answers: {
      '/device/selectDataBackups': { list: rows, total: rows.length, pageNum: 1 },
      '/device/selectDeviceInfoFromDataBackup': { list: ROBOTS },
      '/device/selectDevicePc': { list: ROBOTS, total: 1, pageNum: 1 },
      '/device/selectDeviceByDeviceId': ROBOTS[0],
      '/device/backup': { id: 4, state: 'packing' },
      ...answers,
    },
  })

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const payloads = (sent: readonly { payload: unknown }[]) => sent.map(({ payload }) => payload)
const inDialog = async () => within(await screen.findByRole('dialog'))

test('[route.device.dataBackup] a backup shows how far it is, what it holds and who gets it', async () => {
  await show([{ ...BACKUP, restore: RESTORE, planned: true }])
  expect(await screen.findByText('Finished')).toBeTruthy()
  expect(screen.getByText('Map 2, Task 3')).toBeTruthy()
  expect(screen.getByText('By plan')).toBeTruthy()
  expect(screen.getByText('Hall waits with the restore')).toBeTruthy()
  expect(screen.getByText('A task is running. End all tasks first')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull()
})

test('a restore is seen before it is sent', async () => {
  const { of } = await show([BACKUP], {
    '/device/previewDataBackupRestore': PREVIEW,
    '/device/restoreDataBackup': { id: 9 },
  })
  await press('Restore: SC0001-1.zip')
  const dialog = await inDialog()
  expect(await dialog.findByText('Ground/New')).toBeTruthy()
  expect(dialog.getByText('Deleted')).toBeTruthy()
  expect(dialog.getByText('Unchanged: 7')).toBeTruthy()
  expect(dialog.getByText(/Versions then/).textContent).toBe('Versions then: Firmware 7 · Software 1.0')
  expect(dialog.getByText(/Versions now/).textContent).toBe('Versions now: Software 1.1 · wheels 3')
  await userEvent.click(dialog.getByRole('button', { name: 'Restore' }))
  await waitFor(() => expect(payloads(of('/device/restoreDataBackup'))).toEqual([{ id: 4, deviceId: 1 }]))
})

test('a failed one is uploaded again or begun anew, an open one cancelled', async () => {
  const failed = { ...BACKUP, status: 'failed', reason: 'backup_cut' }
  const open = { ...BACKUP, id: 5, status: 'uploading', sent: 512, fileName: 'SC0001-2.zip' }
  const { of } = await show([failed, open])
  expect(await screen.findByText('The connection broke off')).toBeTruthy()
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25')
  await press('Upload again: SC0001-1.zip')
  await press('Start over: SC0001-1.zip')
  await press('Cancel: SC0001-2.zip')
  await waitFor(() =>
    expect(payloads(of('/device/backup'))).toEqual([
      { id: 4, action: 'upload' },
      { id: 4, action: 'restart' },
      { id: 5, action: 'cancel' },
    ]),
  )
})

test('cancel a restore, look into a backup and delete it', async () => {
  const waiting = { ...BACKUP, id: 6, restore: RESTORE, fileName: 'SC0001-3.zip' }
  const { of } = await show([BACKUP, waiting], {
    '/device/cancelDataBackupRestore': {},
    '/device/deleteDataBackupById': {},
    '/device/selectDataBackupContents': {
      ...{ fileName: BACKUP.fileName, sha256: 'a'.repeat(64), format: 1, versions: { software: '1.0' } },
      list: [{ kind: 'map', name: 'Ground' }],
    },
  })
  await press('Cancel restore: SC0001-3.zip')
  await waitFor(() => expect(payloads(of('/device/cancelDataBackupRestore'))).toEqual([{ id: 9 }]))
  await press('What it holds: SC0001-1.zip')
  const contents = await inDialog()
  expect(await contents.findByText('Ground')).toBeTruthy()
  expect(contents.getByText(/Versions then: Software/)).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await press('Delete: SC0001-1.zip')
  await userEvent.click((await screen.findAllByRole('button', { name: 'Delete' })).at(-1) as HTMLElement)
  await waitFor(() => expect(payloads(of('/device/deleteDataBackupById'))).toEqual([{ id: 4 }]))
})

test('a robot is backed up, and its plan changed, from what the list is narrowed to', async () => {
  const { of } = await show([], { '/device/updateDataBackupPlan': {} }, '/device/dataBackup?device=1')
  await press('Backup plan')
  const plan = await inDialog()
  expect(await plan.findByText('Days between backups: 14')).toBeTruthy()
  await userEvent.click(plan.getByRole('switch', { name: 'Before each update' }))
  await userEvent.click(plan.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(payloads(of('/device/updateDataBackupPlan'))).toEqual([
      { deviceId: 1, everyDays: 14, beforeUpdates: true, keep: 3 },
    ]),
  )
  await press('Back up a robot')
  await userEvent.click((await screen.findAllByRole('button', { name: 'Back up a robot' })).at(-1) as HTMLElement)
  await waitFor(() => expect(payloads(of('/device/backup'))).toEqual([{ deviceId: 1 }]))
})
