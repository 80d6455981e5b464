import type { Answer } from '@/shared/rpc/contract'

export type RepairRow = Answer<'/repair/list'>['list'][number]
export type LeaseRow = Answer<'/hire/list'>['list'][number]

export const PAGE = 30
