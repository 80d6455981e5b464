/** Whether a floor is still wet from a run: whoever starts one there is warned of a poor result. */
import { useCall } from '@/shared/rpc/hooks'

export function useWetFloor(deviceId: number, maps: readonly string[]): boolean {
  const { data } = useCall('/taskReport/wetFloors', { deviceId }, { staleTime: 0 })
  return data?.list.some((name) => maps.includes(name)) ?? false
}
