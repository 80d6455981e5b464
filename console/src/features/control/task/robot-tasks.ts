/** Tasks of the loaded map, read from the robot itself: it owns them. */
import { useQuery } from '@tanstack/react-query'
import { RelayRefusal, relayCall } from '@/shared/relay/relay'
import type { RobotTask } from '@/widgets/task/robot-task'

const CLOSED = 'support_closed' // by the customer: asking again opens nothing

export function useRobotTasks(deviceId: number, mapName: string, online: boolean) {
  return useQuery({
    queryKey: ['relay', deviceId, 'task_list', mapName],
    queryFn: async ({ signal }) => {
      const answer = await relayCall(deviceId, 'task_list', { map_name: mapName }, signal)
      return answer.task_list as readonly RobotTask[]
    },
    enabled: online && mapName !== '',
    retry: (count, error) => count < 2 && !(error instanceof RelayRefusal && error.reason === CLOSED),
    meta: { quiet: true },
  })
}
