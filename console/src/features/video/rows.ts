import type { Answer } from '@/shared/rpc/contract'

export type Recording = Answer<'/qiniuQvs/recordList'>['list'][number]
export type RecordRule = Answer<'/qiniuQvs/recordRule'>
export type Running = Answer<'/qiniuQvs/liveList'>['list'][number]
export type Clip = Answer<'/qiniuQvs/clipList'>['list'][number]
export type View = Answer<'/qiniuQvs/viewList'>['list'][number]

export const REASONS = ['person', 'plan', 'alarm'] as const
export const LEVEL_WORDS = {
  0: 'video:auto-no-alarm',
  1: 'common:level-info',
  2: 'common:level-minor',
  3: 'common:level-major',
  4: 'common:level-critical',
} as const

/** s */
export const lengthOf = ({ start, end }: { start: string; end: string }) =>
  Math.round((Date.parse(end) - Date.parse(start)) / 1000)
