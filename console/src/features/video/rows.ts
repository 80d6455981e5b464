import type { Answer } from '@/shared/rpc/contract'

export type Recording = Answer<'/qiniuQvs/recordList'>['list'][number]
export type Running = Answer<'/qiniuQvs/liveList'>['list'][number]
export type Clip = Answer<'/qiniuQvs/clipList'>['list'][number]
export type View = Answer<'/qiniuQvs/viewList'>['list'][number]

/** s */
export const lengthOf = ({ start, end }: { start: string; end: string }) =>
  Math.round((Date.parse(end) - Date.parse(start)) / 1000)
