/** Makes tasks of what a run left, and a group of them, on the robot that ran: starting it is a press of its own. */
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '@/shared/i18n/text'
import { command } from '@/shared/relay/life'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { relayCall } from '@/shared/relay/relay'
import { type Manner, USUAL } from '@/widgets/task/robot-task'
import { freeName } from '@/widgets/task/rooms'
import type { Detail } from '../detail'
import type { LeftPatch } from './not-cleaned'

const MODES = ['clean', 'carpet', 'quiet'] as const
const SPEEDS = ['low', 'middle', 'high'] as const
const ORDINARY = 0 // a group of whichever tasks
const MOST = COMMAND_LIMITS.taskgroup_add.tasks.maxItems

/** As the run was cleaned, where its words are those of tasks. */
const mannerOf = ({ cleanMode, speed }: Detail): Manner => ({
  ...USUAL,
  clean_mode: MODES.find((mode) => mode === cleanMode) ?? USUAL.clean_mode,
  speed: SPEEDS.find((word) => word === speed) ?? USUAL.speed,
})

/** Resolves with the name of the group; rejects with what the robot refused. */
export function useCleanLeft(report: Detail) {
  const { t } = useTranslation('report')
  const queries = useQueryClient()
  const { deviceId, mapName, taskName } = report
  return async (patches: readonly LeftPatch[]): Promise<string> => {
    const { task_list } = await relayCall(deviceId, 'task_list', { map_name: mapName })
    const taken = new Set(task_list.map(({ name }) => name))
    const units: { name: string; map_name: string; task: string }[] = []
    for (const { room, corners, start } of patches.slice(0, MOST)) {
      const name = freeName(t('left-task', { place: room || taskName }), taken)
      taken.add(name)
      const payload = { name, map_name: mapName, areas: [{ points: corners }], start, ...mannerOf(report) }
      await command(deviceId, { command: 'task_add', payload, label: name })
      units.push({ name, map_name: mapName, task: name })
    }
    const { list } = await relayCall(deviceId, 'taskgroup_list', {})
    const group = freeName(t('left-task', { place: taskName }), new Set(list.map(({ name }) => name)))
    await command(deviceId, {
      ...{ command: 'taskgroup_add', label: group },
      payload: { name: group, type: ORDINARY, tasks: units, count: 1 },
    })
    await queries.invalidateQueries({ queryKey: ['relay', deviceId] })
    return group
  }
}
