import type { Answer } from '@/shared/rpc/contract'

export type Recording = Answer<'/qiniuQvs/recordList'>['list'][number]
export type Running = Answer<'/qiniuQvs/liveList'>['list'][number]
export type View = Answer<'/qiniuQvs/viewList'>['list'][number]
