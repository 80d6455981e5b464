/** A task as the robot keeps it, what a new one needs before it is saved, and what its route would cost. */
import { useQuery } from '@tanstack/react-query'
import { isFlag, type MapDocument, newId, withOnly } from '@/canvas/document/document'
import { beyond } from '@/canvas/geometry/geometry'
import type { CommandAnswer, Robot } from '@/shared/relay/contract'
import { plannedCall } from '@/shared/relay/planned'

/** A task as the robot keeps it. */
export type RobotTask = Robot['schemas']['TaskRow']

/** How an area is cleaned and driven. */
export type Manner = Pick<RobotTask, 'clean_mode' | 'task_mode' | 'route' | 'speed' | 'hard_floor'>

export const USUAL: Manner = {
  ...{ clean_mode: 'clean', task_mode: 'normal', route: 'bow', speed: 'middle', hard_floor: true },
}

export interface Drawn {
  readonly area: readonly [number, number][]
  readonly start: readonly [number, number] | null
}

/** What stands on the map for a task: its one area and its start point. */
export function drawn(map: MapDocument | undefined): Drawn {
  const area = map?.marks.find((mark) => mark.kind === 'taskArea')
  const start = map?.marks.find((mark) => mark.kind === 'startPoint')
  return {
    area: area && !isFlag(area) ? area.points.map(({ x, y }): [number, number] => [x, y]) : [],
    start: start && isFlag(start) ? [start.at.x, start.at.y] : null,
  }
}

/** The floor with a task's area and start point on it. */
export function withTask(floor: MapDocument, task: Pick<RobotTask, 'name' | 'areas' | 'start'>): MapDocument {
  const points = task.areas[0]?.points.map(([x, y]) => ({ x, y }))
  const marked = points ? withOnly(floor, { id: newId(), kind: 'taskArea', name: task.name, points }) : floor
  const at = task.start && { x: task.start[0], y: task.start[1], yaw: 0 }
  return at ? withOnly(marked, { id: newId(), kind: 'startPoint', name: '', at }) : marked
}

export type Lack = 'name' | 'map' | 'area' | 'start' | 'edge' | 'path'

/** What is missing, in the order in which a person would do it; the robot refuses by the same rules. `path`: the
 * hand-drawn one that it shall follow; undefined where it cleans an area. */
export function lacks(name: string, map: MapDocument | undefined, marks: Drawn, path?: string): readonly Lack[] {
  const out: Lack[] = []
  if (!map) out.push('map')
  if (path === '') out.push('path')
  if (path === undefined) out.push(...drawnLacks(map, marks))
  if (!name.trim()) out.push('name')
  return out
}

function drawnLacks(map: MapDocument | undefined, { area, start }: Drawn): readonly Lack[] {
  const out: Lack[] = []
  if (area.length === 0) out.push('area')
  if (start === null) out.push('start')
  const corners = area.map(([x, y]) => ({ x, y }))
  if (map && beyond(corners, map.frame).length > 0) out.push('edge')
  return out
}

/** What a route would cost, asked from the robot before a task is saved. Battery and liquid in %. */
export type Forecast = CommandAnswer<'clean_area_pre'>

export function useForecast(deviceId: number, mapName: string, manner: Manner, marks: Drawn, path?: string) {
  const { area, start } = marks
  const { route, task_mode, clean_mode, speed } = manner
  const how = { map_name: mapName, route, task_mode, clean_mode, speed }
  const payload = path === undefined ? { ...how, area, start } : { ...how, path }
  return useQuery({
    queryKey: ['relay', deviceId, 'clean_area_pre', payload],
    queryFn: ({ signal }) => plannedCall(deviceId, 'clean_area_pre', payload, signal),
    enabled: mapName !== '' && (path === undefined ? area.length > 0 && start !== null : path !== ''),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  })
}
