/** What the form of a schedule holds, and the robot's rules for it, checked before it is sent. Keys of faults are its own. */
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import type { FloorTasks, Listed } from '../schedules'
import { clockOf, floorsOf, type SchedulePayload, wireOf } from '../schedules'

const CHARGE_BELOW = 20 // %, as the robot does by itself
export const MOST_CHARGE = COMMAND_LIMITS.timetask_save.charge_below.maximum

export interface Values {
  readonly name: string
  readonly floors: readonly FloorTasks[]
  /** Over several floors, by an elevator. */
  readonly rides: boolean
  readonly elevator: string
  readonly days: readonly number[]
  readonly start: string
  readonly forced: boolean
  readonly end: string
  readonly chargeBelow: number | null
  readonly enable: boolean
}

const NO_FLOOR: FloorTasks = { map_name: '', task_list: [] }

export const NEW: Values = {
  ...{ name: '', floors: [NO_FLOOR], rides: false, elevator: '', days: [], start: '', forced: false, end: '' },
  ...{ chargeBelow: CHARGE_BELOW, enable: true },
}

export const withFloor = (floors: readonly FloorTasks[]) => [...floors, NO_FLOOR]

export const valuesOf = (listed: Listed): Values => ({
  name: listed.name,
  floors: floorsOf(listed),
  rides: listed.kind === 'elevator_timetask',
  elevator: listed.elevator_id ?? '',
  days: listed.days,
  start: clockOf(listed.start_time),
  forced: listed.forced_end === 1,
  end: clockOf(listed.end_time),
  chargeBelow: listed.charge_below,
  enable: listed.enable === 1,
})

/** As the robot takes it; `told`: the one that is changed. */
export function payloadOf(values: Values, listed?: Pick<Listed, 'skips' | 'moves' | 'revision'>): SchedulePayload {
  const { name, floors, rides, elevator, days, start, forced, end, chargeBelow, enable } = values
  const [first = NO_FLOOR] = floors
  return {
    ...(rides ? { elevator_id: elevator, floors } : first),
    ...{ name: name.trim(), days, start_time: wireOf(start), enable: enable ? 1 : 0 },
    ...{ forced_end: forced ? 1 : 0, end_time: forced ? wireOf(end) : '', charge_below: chargeBelow ?? CHARGE_BELOW },
    ...(listed && { skips: listed.skips, revision: listed.revision, ...(listed.moves && { moves: listed.moves }) }),
  }
}

export type Field = 'name' | 'floors' | 'days' | 'start' | 'end' | 'chargeBelow'
export type Faults = Readonly<Partial<Record<Field, Fault>>>
type Fault =
  | 'robot:no-schedule-name-required'
  | 'robot:no-schedule-start-required'
  | 'robot:no-schedule-days-required'
  | 'robot:no-schedule-end-required'
  | 'robot:no-schedule-task-required'
  | 'robot:no-schedule-floor-required'
  | 'robot:no-schedule-task-twice'
  | 'robot:no-task-map-required'
  | 'fault-charge-below'

function floorFault({ floors }: Values): Fault | undefined {
  if (floors.length === 0) return 'robot:no-schedule-floor-required'
  if (floors.some((floor) => !floor.map_name)) return 'robot:no-task-map-required'
  if (floors.some((floor) => floor.task_list.length === 0)) return 'robot:no-schedule-task-required'
  const twice = floors.some(({ task_list }) => new Set(task_list).size < task_list.length)
  return twice ? 'robot:no-schedule-task-twice' : undefined
}

/** Keys of texts. */
export function faultsOf(values: Values): Faults {
  const { name, days, start, forced, end, chargeBelow } = values
  const floors = floorFault(values)
  return {
    ...(!name.trim() && { name: 'robot:no-schedule-name-required' }),
    ...(floors && { floors }),
    ...(days.length === 0 && { days: 'robot:no-schedule-days-required' }),
    ...(!start && { start: 'robot:no-schedule-start-required' }),
    ...(forced && !end && { end: 'robot:no-schedule-end-required' }),
    ...((chargeBelow === null || chargeBelow < 0 || chargeBelow > MOST_CHARGE) && {
      chargeBelow: 'fault-charge-below',
    }),
  }
}

/** Which field shows what the robot refuses there. */
export const FIELD: Readonly<Record<string, Field>> = {
  ...{
    name: 'name',
    new_name: 'name',
    start_time: 'start',
    days: 'days',
    end_time: 'end',
    charge_below: 'chargeBelow',
  },
  ...{ map_name: 'floors', task_list: 'floors', floors: 'floors' },
}

/** The forced end is the next day's. */
export const overMidnight = ({ forced, start, end }: Values) => forced && start !== '' && end !== '' && end <= start
