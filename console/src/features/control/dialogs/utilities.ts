/** What the robot can switch beside its wheels, in the wording of either generation. */
import { useQuery } from '@tanstack/react-query'
import type { Robot } from '@/shared/relay/contract'
import { API1_SINCE, relayCall } from '@/shared/relay/relay'

export interface Utility {
  readonly id: string
  /** The robot's own word, where it tells one. */
  readonly name: string
  readonly value: number
  readonly max: number
}

const OLDER_MOST = 3 // older robots tell no range; one that has fewer levels says so
const SWITCHES = new Set(['light', 'uv_lamp'])

/** utils_ctrl: `value` from protocol 3 on, `val` below. */
export const levelPayload = (protocol: number, id: string, level: number) =>
  protocol >= API1_SINCE ? { id, value: level } : { id, val: level }

type Listed = Partial<Robot['schemas']['UtilityRow'] & Robot['schemas']['UtilityLevel']>

/** utils_list from protocol 3 on, utils_state below. */
export const asUtilities = (list: readonly Listed[]): Utility[] =>
  list.map(({ id = '', name = id, value, val, max }) => ({
    id,
    name,
    value: value ?? val ?? 0,
    max: max ?? (SWITCHES.has(id) ? 1 : OLDER_MOST),
  }))

export const utilitiesKey = (deviceId: number) => ['relay', deviceId, 'utilities'] as const

export function useUtilities(deviceId: number, protocol: number) {
  return useQuery({
    queryKey: utilitiesKey(deviceId),
    queryFn: async ({ signal }) => {
      const answer = await relayCall(deviceId, protocol >= API1_SINCE ? 'utils_list' : 'utils_state', {}, signal)
      return asUtilities(answer.list)
    },
    meta: { quiet: true },
  })
}
