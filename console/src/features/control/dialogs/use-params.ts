/** The robot's parameters, with the range of each where it tells one. */
import { useQuery } from '@tanstack/react-query'
import { relayCall } from '@/shared/relay/relay'

export interface Range {
  readonly min: number
  readonly max: number
  readonly unit?: string
}

export interface Params {
  readonly params: Readonly<Record<string, number>>
  readonly ranges: Readonly<Record<string, Range>>
}

export const paramsKey = (deviceId: number) => ['relay', deviceId, 'robot_params_get'] as const

export function useParams(deviceId: number, enabled: boolean) {
  return useQuery({
    queryKey: paramsKey(deviceId),
    queryFn: async ({ signal }): Promise<Params> => {
      const answer = await relayCall(deviceId, 'robot_params_get', {}, signal)
      return { params: answer.params as Params['params'], ranges: (answer.ranges ?? {}) as Params['ranges'] }
    },
    enabled,
    meta: { quiet: true },
  })
}
