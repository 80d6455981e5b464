import type { Answer } from '@/shared/rpc/contract'

/** A camera that sends pictures. */
export type Running = Answer<'/qiniuQvs/liveList'>['list'][number]
