/** The tasks of a robot, on all its maps, and what the screen knows of them beside. */
import { useQuery } from '@tanstack/react-query'
import type { Robot } from '@/shared/relay/contract'
import { relayCall } from '@/shared/relay/relay'
import { useCall } from '@/shared/rpc/hooks'
import { useAfterPlanning } from '@/widgets/task/planning'
import type { RobotTask } from '@/widgets/task/robot-task'
import { type Read, useRobotList } from '../robot-link'

export function useTasks(deviceId: number, online: boolean): Read<RobotTask> {
  const mirror = useCall('/task/mirror', { deviceId })
  const tasks = useRobotList(deviceId, online, 'task_list', (answer) => answer.task_list, mirror.data?.list)
  useAfterPlanning(deviceId, tasks)
  return tasks
}

export type Path = Robot['schemas']['PathRow']

/** Hand-drawn paths stand on the robot alone. */
export function usePaths(deviceId: number, online: boolean): Read<Path> {
  return useRobotList(deviceId, online, 'dir_path_list', (answer) => answer.paths, undefined)
}

/** The robot's picture of a task as base64; undefined while it has none, or cannot be asked. */
export function usePng(deviceId: number, { map_name, name, picture }: RobotTask, online: boolean) {
  const query = useQuery({
    queryKey: ['relay', deviceId, 'taskinfo_query', map_name, name, picture],
    queryFn: async ({ signal }) => (await relayCall(deviceId, 'taskinfo_query', { map_name, name }, signal)).png,
    enabled: online && Boolean(picture),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  })
  return query.data || undefined
}
