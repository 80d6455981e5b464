/** A map as the server lists it. */
import type { Answer } from '@/shared/rpc/contract'

export type MapRow = Answer<'/map/selectMap'>['list'][number]
