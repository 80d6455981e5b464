import type { Answer } from '@/shared/rpc/contract'

export type Recording = Answer<'/qiniuQvs/recordList'>['list'][number]
export type RecordRule = Answer<'/qiniuQvs/recordRule'>
export type Clip = Answer<'/qiniuQvs/clipList'>['list'][number]
export type View = Answer<'/qiniuQvs/viewList'>['list'][number]

export const REASONS = ['person', 'plan', 'alarm'] as const

/** s */
export const lengthOf = ({ start, end }: { start: string; end: string }) =>
  Math.round((Date.parse(end) - Date.parse(start)) / 1000)
