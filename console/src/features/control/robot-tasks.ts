/** Tasks of the robot, read from the robot itself (it owns them), and what a new one needs before it is saved. */
import { useQuery } from '@tanstack/react-query'
import { isFlag, type MapDocument } from '@/canvas/document'
import { beyond } from '@/canvas/geometry'
import { RelayRefusal, relayCall } from '@/shared/relay/relay'

const CLOSED = 'support_closed' // by the customer: asking again opens nothing

export interface RobotTask {
  readonly name: string
  readonly map_name: string
  readonly areas: readonly { points: readonly [number, number][] }[]
  readonly clean_mode: 'clean' | 'carpet' | 'quiet'
  readonly task_mode: 'normal' | 'edge'
  readonly route: 'bow' | 'spiral'
  readonly speed: 'low' | 'middle' | 'high'
  readonly hard_floor: boolean
  readonly start: readonly [number, number] | null
  readonly revision?: number
}

export interface Drawn {
  readonly area: readonly [number, number][]
  readonly start: readonly [number, number] | null
}

/** What stands on the map for a new task: its one area and its start point. */
export function drawn(map: MapDocument | undefined): Drawn {
  const area = map?.marks.find((mark) => mark.kind === 'taskArea')
  const start = map?.marks.find((mark) => mark.kind === 'startPoint')
  return {
    area: area && !isFlag(area) ? area.points.map(({ x, y }) => [x, y] as [number, number]) : [],
    start: start && isFlag(start) ? [start.at.x, start.at.y] : null,
  }
}

export type Lack = 'name' | 'map' | 'area' | 'start' | 'edge'

/** What is missing, in the order in which a person would do it; the robot refuses by the same rules. */
export function lacks(name: string, map: MapDocument | undefined, { area, start }: Drawn): readonly Lack[] {
  const out: Lack[] = []
  if (!map) out.push('map')
  if (area.length === 0) out.push('area')
  if (start === null) out.push('start')
  if (
    map &&
    beyond(
      area.map(([x, y]) => ({ x, y })),
      map.frame,
    ).length > 0
  )
    out.push('edge')
  if (!name.trim()) out.push('name')
  return out
}

const key = (deviceId: number, mapName: string) => ['relay', deviceId, 'task_list', mapName] as const

export function useRobotTasks(deviceId: number, mapName: string, online: boolean) {
  return useQuery({
    queryKey: key(deviceId, mapName),
    queryFn: async ({ signal }) => {
      const answer = await relayCall(deviceId, 'task_list', { map_name: mapName }, signal)
      return answer.task_list as readonly RobotTask[]
    },
    enabled: online && mapName !== '',
    retry: (count, error) => count < 2 && !(error instanceof RelayRefusal && error.reason === CLOSED),
    meta: { quiet: true },
  })
}

/** What a route would cost, asked from the robot before a task is saved. */
export interface Forecast {
  readonly path: readonly [number, number][]
  readonly area: number
  readonly length: number
  readonly seconds: number
  readonly battery: number
  readonly liquid: number
}

export function useForecast(deviceId: number, mapName: string, route: string, { area, start }: Drawn) {
  return useQuery({
    queryKey: ['relay', deviceId, 'clean_area_pre', mapName, route, area, start],
    queryFn: async ({ signal }) => {
      const payload = { map_name: mapName, area, route, start }
      return (await relayCall(deviceId, 'clean_area_pre', payload, signal)) as unknown as Forecast
    },
    enabled: area.length > 0 && start !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  })
}
