/** Schedules as the robot tells them, of one map and over several floors, and what the form makes of one. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { CommandAnswer, CommandPayload, Robot } from '@/shared/relay/contract'
import { useCall } from '@/shared/rpc/hooks'
import { type Commanded, has } from '@/widgets/robot/robot'
import { type Read, useRobotList } from './robot-link'

type Kind = 'timetask' | 'elevator_timetask'

type TimeTask = Robot['schemas']['TimeTaskRow']
type ElevatorTimeTask = Robot['schemas']['ElevatorTimeTaskRow']
export type FloorTasks = Robot['schemas']['FloorRow']

/** What robot and mirror tell of both kinds. `next` and `state` only the robot itself; an older one knows no `moves`. */
export interface Schedule
  extends Pick<TimeTask, Exclude<keyof TimeTask & keyof ElevatorTimeTask, 'next' | 'state' | 'reason' | 'moves'>>,
    Partial<Pick<TimeTask, 'next' | 'state' | 'reason' | 'moves' | 'map_name' | 'task_list'>>,
    Partial<Pick<ElevatorTimeTask, 'elevator_id' | 'floors'>> {}

export interface Listed extends Schedule {
  readonly kind: Kind
}

export type SchedulePayload = CommandPayload<'timetask_save' | 'elevator_timetask_add'>

/** "22-30" as people write it. */
export const clockOf = (wire: string) => wire.replace('-', ':')
export const wireOf = (clock: string) => clock.replace(':', '-')

export const floorsOf = ({ map_name, task_list, floors }: Schedule): readonly FloorTasks[] =>
  floors ?? [{ map_name: map_name ?? '', task_list: task_list ?? [] }]

/** The payload of the command that changes it: what it is, without what is only reported of it. */
export function payloadOf(listed: Listed): SchedulePayload {
  const { kind, top, next, state, reason, ...rest } = listed
  const { map_name = '', task_list = [], floors = [], elevator_id = '', ...both } = rest
  return kind === 'timetask' ? { ...both, map_name, task_list } : { ...both, elevator_id, floors }
}

export const EDIT = { timetask: 'timetask_edit', elevator_timetask: 'elevator_timetask_modofied' } as const
export const ADD = { timetask: 'timetask_save', elevator_timetask: 'elevator_timetask_add' } as const
/** Whether it takes a schedule of that kind; without one, any. */
export const takesSchedules = (robot: Commanded, kind?: keyof typeof ADD): boolean =>
  kind ? has(robot, ADD[kind]) : has(robot, ADD.timetask) || has(robot, ADD.elevator_timetask)
export const RENAME = { timetask: 'timetask_rename', elevator_timetask: 'elevator_timetask_rename' } as const
export const DELETE = { timetask: 'timetask_delete', elevator_timetask: 'elevator_timetask_delete' } as const

const rowsOf = (answer: CommandAnswer<'timetask_list' | 'elevator_timetask_list'>): readonly Schedule[] =>
  answer.timetask_info

/** Both kinds, those on top first. */
export function useSchedules(deviceId: number, online: boolean): Read<Listed> {
  const plans = useCall('/task/plans', { deviceId })
  const mirror = (kind: Kind) => plans.data?.list.filter((plan) => plan.kind === kind)
  const timed = useRobotList(deviceId, online, 'timetask_list', rowsOf, mirror('timetask'))
  const elevatorRides = useRobotList(deviceId, online, 'elevator_timetask_list', rowsOf, mirror('elevator_timetask'))
  const of = (read: Read<Schedule>, kind: Kind) => read.rows?.map((row): Listed => ({ ...row, kind })) ?? []
  const { dataUpdatedAt } = plans
  const queries = useQueryClient()
  const seen = useRef(dataUpdatedAt)
  useEffect(() => {
    // what became of a start makes the plans stale, and with them what the robot says of it
    if (seen.current) void queries.invalidateQueries({ queryKey: ['relay', deviceId] })
    seen.current = dataUpdatedAt
  }, [dataUpdatedAt, queries, deviceId])
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
