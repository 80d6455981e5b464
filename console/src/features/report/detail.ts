/** One run whole, as its page and what stands on it need it. */
import type { Answer } from '@/shared/rpc/contract'

export type Detail = Answer<'/taskReport/detail'>
