/** Task groups as the robot keeps them, and the rules of the form before anything is sent. */

import type { Robot } from '@/shared/relay/contract'

/** The four types in the order of their numbers: keys of texts. */
export const KINDS = ['group-ordinary', 'group-same-project', 'group-same-map', 'group-same-building'] as const

const SAME_PROJECT = 1
const SAME_MAP = 2
const SAME_BUILDING = 3

export type Unit = Robot['schemas']['UnitRow']
export type Group = Robot['schemas']['GroupRow']
export type Values = Pick<Group, 'name' | 'type' | 'tasks' | 'count'>

export interface Faults {
  readonly name?: 'robot:no-group-name-required'
  readonly tasks?:
    | 'robot:no-group-unit-required'
    | 'robot:no-unit-name-required'
    | 'robot:no-group-one-project'
    | 'robot:no-group-one-map'
    | 'robot:no-group-one-building'
}

/**
 * `buildingOf`: of a map; undefined where it is not known, which the robot then judges. A project is a customer's: all
 * tasks of a robot are of the one that it works for.
 */
export function faultsOf(
  { name, type, tasks }: Values,
  buildingOf: (map: string) => string | undefined,
  customer: string,
): Faults {
  const maps = new Set(tasks.map((unit) => unit.map_name))
  const buildings = new Set([...maps].map(buildingOf))
  const fault = (): Faults['tasks'] => {
    if (tasks.length === 0) return 'robot:no-group-unit-required'
    if (tasks.some((unit) => !unit.name.trim())) return 'robot:no-unit-name-required'
    if (type === SAME_PROJECT && !customer) return 'robot:no-group-one-project'
    if (type === SAME_MAP && maps.size > 1) return 'robot:no-group-one-map'
    return type === SAME_BUILDING && (buildings.size > 1 || buildings.has(''))
      ? 'robot:no-group-one-building'
      : undefined
  }
  const wrong = fault()
  return { ...(!name.trim() && { name: 'robot:no-group-name-required' as const }), ...(wrong && { tasks: wrong }) }
}

/** "Lobby → Hall"; over several maps each is named where it begins. */
export function orderOf(tasks: readonly Unit[]): string {
  const several = new Set(tasks.map((unit) => unit.map_name)).size > 1
  const describe = ({ name, map_name }: Unit, n: number) =>
    several && map_name !== tasks[n - 1]?.map_name ? `${map_name}: ${name}` : name
  return tasks.map(describe).join(' → ')
}

/** The list with one unit a place up or down; as it is at its ends. */
export function movedUnit(tasks: readonly Unit[], place: number, by: 1 | -1): readonly Unit[] {
  const other = tasks[place + by]
  const moved = tasks[place]
  if (!moved || !other) return tasks
  return tasks.map((unit, n) => (n === place ? other : n === place + by ? moved : unit))
}
