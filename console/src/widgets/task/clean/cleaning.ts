/**
 * Rooms that are about to be cleaned: how, how often and what it will take; and their start, which gives the robot the
 * tasks that it does not have yet: one room by itself, several or several times as a group.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Polygon } from '@/canvas/document/document'
import { useTranslation } from '@/shared/i18n/text'
import type { Command, CommandAnswer, CommandPayload } from '@/shared/relay/contract'
import type { Order } from '@/shared/relay/life'
import { relayCall } from '@/shared/relay/relay'
import { useRefusalText } from '../../refusal-text'
import { useWetFloor } from '../../robot/wet-floor'
import { type Manner, USUAL } from '../robot-task'
import { useRobotTasks } from '../robot-tasks'
import { tasksFor } from '../rooms'
import type { RoomChoice } from './room-choice'
import { type RoomForecast, useRoomForecasts } from './room-forecast'

export interface CleanedFloor {
  readonly deviceId: number
  readonly mapId: number | null
  readonly mapName: string
  readonly online: boolean
  /** What the robot does now; '' when it is free. */
  readonly run: string
}

/** Gives the robot an order; undefined where it was refused and that was said. */
export type SendOrder = <C extends Command>(order: Order<C>) => Promise<CommandAnswer<C> | undefined>

export function useCleaning({ deviceId, mapId, mapName, online, run }: CleanedFloor, choice: RoomChoice) {
  const { t } = useTranslation('control')
  const why = useRefusalText()
  const [manner, setManner] = useState<Manner>(USUAL)
  const [times, setTimes] = useState<number>(1)
  const start = useStart(deviceId, mapName, online)
  const wet = useWetFloor(deviceId, [mapName])
  const { chosen } = choice
  const forecasts = useRoomForecasts(deviceId, mapName, chosen, manner)
  const plans = forecasts.flatMap(({ data }) => data ?? [])
  const lack = () => {
    if (run) return t('task-runs')
    if (chosen.length === 0) return t('choose-rooms')
    return plans.length < chosen.length ? t('rooms-planning') : ''
  }
  return {
    ...{ mapId, choice, manner, setManner, times, setTimes, plans, wet },
    /** What stands against rooms, by their names. */
    problems: chosen.flatMap((room, i) => {
      const error = forecasts[i]?.error
      return error ? [{ name: room.name, text: why(error) ?? '' }] : []
    }),
    /** Why they cannot be cleaned now; '' when they can. */
    blocked: lack(),
    start: (send: SendOrder) => start(send, chosen, plans, manner, times),
  }
}

export type Cleaning = ReturnType<typeof useCleaning>

function useStart(deviceId: number, mapName: string, online: boolean) {
  const { t } = useTranslation('control')
  const queries = useQueryClient()
  const known = useRobotTasks(deviceId, mapName, online)
  return async (
    send: SendOrder,
    rooms: readonly Polygon[],
    plans: readonly RoomForecast[],
    manner: Manner,
    times: number,
  ): Promise<boolean> => {
    const tasks = tasksFor(rooms, known.data ?? [], manner)
    for (const [i, { name, corners, known: saved }] of tasks.entries()) {
      if (saved) continue
      const where = { map_name: mapName, areas: [{ points: corners }], start: plans[i]?.start ?? null }
      const label = t('save-named', { name })
      const added = await send({ command: 'task_add', payload: { name, ...where, ...manner }, label })
      if (!added) return false
    }
    await queries.invalidateQueries({ queryKey: ['relay', deviceId, 'task_list'] })
    const begin = async (name: string, payload: CommandPayload<'task_start'>) => {
      const label = t('start-named', { name })
      return (await send({ command: 'task_start', payload, label, confirms: (row) => row.run !== '' })) !== undefined
    }
    const [first] = tasks
    if (first && tasks.length === 1 && times === 1) return begin(first.name, { name: first.name, map_name: mapName })
    const group = t('robot:clean-rooms')
    const { list } = await relayCall(deviceId, 'taskgroup_list', {})
    const before = list.find(({ name }) => name === group)
    const units = tasks.map(({ name }, i) => ({ name: rooms[i]?.name ?? name, map_name: mapName, task: name }))
    const grouped = await send({
      command: 'taskgroup_add',
      payload: { name: group, type: 0, tasks: units, count: times, ...(before && { revision: before.revision }) },
      label: t('save-named', { name: group }),
    })
    return grouped !== undefined && begin(group, { group })
  }
}
