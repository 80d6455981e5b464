/** Schedules as the robot tells them, of one map and over several floors, and what the form makes of one. */
import { useCall } from '@/shared/rpc/hooks'
import { type Read, useRobotList } from './robot-link'

type Kind = 'timetask' | 'elevator_timetask'

export interface FloorTasks {
  readonly map_name: string
  readonly task_list: readonly string[]
}

/** What robot and mirror tell of both kinds. `next` and `state` only the robot itself. */
export interface Schedule {
  readonly name: string
  /** "HH-MM" of the robot's own wall clock. */
  readonly start_time: string
  readonly days: readonly number[]
  readonly enable: 0 | 1
  readonly forced_end: 0 | 1
  readonly end_time: string
  readonly skips: readonly string[]
  readonly charge_below: number
  readonly revision: number
  readonly top: number
  readonly next?: number
  readonly state?: string
  readonly reason?: string
  readonly map_name?: string
  readonly task_list?: readonly string[]
  readonly elevator_id?: string
  readonly floors?: readonly FloorTasks[]
}

export interface Listed extends Schedule {
  readonly kind: Kind
}

/** "22-30" as people write it. */
export const clockOf = (wire: string) => wire.replace('-', ':')
export const wireOf = (clock: string) => clock.replace(':', '-')

export const floorsOf = ({ map_name, task_list, floors }: Schedule): readonly FloorTasks[] =>
  floors ?? [{ map_name: map_name ?? '', task_list: task_list ?? [] }]

/** The payload of the command that changes it: what it is, without what is only told of it. */
export function payloadOf(listed: Listed): object {
  const { kind, top, next, state, reason, ...rest } = listed
  const { map_name, task_list, floors, elevator_id, ...both } = rest
  return kind === 'timetask' ? { ...both, map_name, task_list } : { ...both, elevator_id, floors }
}

export const EDIT = { timetask: 'timetask_edit', elevator_timetask: 'elevator_timetask_modofied' } as const
export const ADD = { timetask: 'timetask_save', elevator_timetask: 'elevator_timetask_add' } as const
export const RENAME = { timetask: 'timetask_rename', elevator_timetask: 'elevator_timetask_rename' } as const
export const DELETE = { timetask: 'timetask_delete', elevator_timetask: 'elevator_timetask_delete' } as const

/** Both kinds, those on top first. */
export function useSchedules(deviceId: number, online: boolean): Read<Listed> {
  const plans = useCall('/task/plans', { deviceId })
  const mirror = (kind: Kind) => plans.data?.list.filter((plan) => plan.kind === kind)
  const timed = useRobotList<Schedule>(deviceId, online, 'timetask_list', 'timetask_info', mirror('timetask'))
  const elevatorRides = useRobotList<Schedule>(
    ...([deviceId, online, 'elevator_timetask_list', 'timetask_info', mirror('elevator_timetask')] as const),
  )
  const of = (read: Read<Schedule>, kind: Kind) => read.rows?.map((row): Listed => ({ ...row, kind })) ?? []
  const from = timed.from === 'robot' && elevatorRides.from === 'robot' ? 'robot' : 'mirror'
  const asOf = Math.max(timed.asOf ?? 0, elevatorRides.asOf ?? 0) || undefined
  const rows = [...of(timed, 'timetask'), ...of(elevatorRides, 'elevator_timetask')]
  return {
    rows: timed.rows && elevatorRides.rows && rows.sort((a, b) => b.top - a.top),
    ...{ from, asOf, error: timed.error ?? elevatorRides.error ?? plans.error },
    isPending: timed.isPending || elevatorRides.isPending,
    refetch: () => [timed.refetch(), elevatorRides.refetch()],
  }
}
