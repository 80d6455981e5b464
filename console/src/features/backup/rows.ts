import type { Answer } from '@/shared/rpc/contract'

export type BackupRow = Answer<'/device/selectDataBackups'>['list'][number]
export type RobotRow = Answer<'/device/selectDeviceInfoFromDataBackup'>['list'][number]
export type Item = Answer<'/device/selectDataBackupContents'>['list'][number]

export const PAGE = 30

/** What a backup holds, in the order in which it is shown; the words are the pack's. */
export const KINDS = ['map', 'task', 'path', 'group', 'timetask', 'elevator_timetask', 'setting'] as const
