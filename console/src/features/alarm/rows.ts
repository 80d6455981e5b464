import type { Keys } from '@/shared/i18n/keys'
import type { Answer } from '@/shared/rpc/contract'

export type AlarmRow = Answer<'/warn/list'>['list'][number]
export type SettingRow = Answer<'/wmWarnSet/queryByPage'>['list'][number]

export const PAGE = 30

export const STATES = [0, 1, 2] as const
export const RESOLVED = 2
export const STATE_WORDS: Readonly<Record<number, Keys['common']>> = {
  ...{ 0: 'alarm-unknown', 1: 'alarm-unresolved', 2: 'alarm-resolved' },
}

export const TYPES = [1, 2] as const
export const ALARM = 2
export const TYPE_WORDS: Readonly<Record<number, Keys['common']>> = { 1: 'notice', 2: 'alarm' }
