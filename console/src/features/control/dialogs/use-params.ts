/** The robot's parameters, with the range of each where it tells one. */
import { useQuery } from '@tanstack/react-query'
import type { CommandAnswer, Robot } from '@/shared/relay/contract'
import { relayCall } from '@/shared/relay/relay'

export type Range = Pick<Robot['schemas']['ParameterRange'], 'min' | 'max' | 'unit'>
export type Params = CommandAnswer<'robot_params_get'>

export const paramsKey = (deviceId: number) => ['relay', deviceId, 'robot_params_get'] as const

export function useParams(deviceId: number, enabled: boolean) {
  return useQuery({
    queryKey: paramsKey(deviceId),
    queryFn: ({ signal }) => relayCall(deviceId, 'robot_params_get', {}, signal),
    enabled,
    meta: { quiet: true },
  })
}
