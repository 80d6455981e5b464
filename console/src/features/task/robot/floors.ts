/** The maps that a robot has, with what they show: the mirror's, which is there while the robot is off as well. */
import { useCall } from '@/shared/rpc/hooks'
import { type Floor, useDocument } from '@/widgets/map/floor'

export function useMaps(deviceId: number) {
  return useCall('/map/selectMap', { deviceId })
}

/** One map by its name; `missing` too while the customer keeps support out. */
export function useMap(deviceId: number, name: string): Floor {
  const maps = useMaps(deviceId)
  const row = maps.data?.list.find((map) => map.name === name)
  return useDocument(row, maps.isError || (maps.isSuccess && !row))
}
