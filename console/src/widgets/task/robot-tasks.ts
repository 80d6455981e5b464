/** Tasks of the loaded map, read from the robot itself: it owns them. */
import { useQuery } from '@tanstack/react-query'
import { RelayRefusal, relayCall } from '@/shared/relay/relay'

const CLOSED = 'support_closed' // by the customer: asking again opens nothing

export function useRobotTasks(deviceId: number, mapName: string, online: boolean) {
  return useQuery({
    queryKey: ['relay', deviceId, 'task_list', mapName],
    queryFn: async ({ signal }) => (await relayCall(deviceId, 'task_list', { map_name: mapName }, signal)).task_list,
    enabled: online && mapName !== '',
    retry: (count, error) => count < 2 && !(error instanceof RelayRefusal && error.reason === CLOSED),
    meta: { quiet: true },
  })
}
