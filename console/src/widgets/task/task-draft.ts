/** What was drawn and chosen for a task and not saved: there again when its form opens, on the map as well. */
import { useEffect, useState } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { useDraft } from '../form/draft/use-draft'
import { drawn, type Manner, type RobotTask, USUAL } from './robot-task'

type Point = readonly [number, number]

interface TaskDraft {
  readonly name: string
  readonly manner: Manner
  /** The hand-drawn one that it follows; undefined where it cleans an area. */
  readonly path: string | undefined
  readonly area: readonly Point[]
  readonly start: Point | null
  /** Of the task that is changed: the robot refuses it once it has another. */
  readonly revision: number | undefined
}

export type DrawnTask = Pick<RobotTask, 'areas' | 'start'>

/** What the draft of a task is of. */
export const draftOfTask = (deviceId: number, mapName: string, name = '') => `task_add ${deviceId} ${mapName} ${name}`

const mannerOf = ({ clean_mode, task_mode, route, speed, hard_floor }: Manner): Manner => ({
  ...{ clean_mode, task_mode, route, speed, hard_floor },
})

const beginOf = (task: RobotTask | undefined): TaskDraft => ({
  name: task?.name ?? '',
  manner: task ? mannerOf(task) : USUAL,
  path: task?.path || undefined,
  area: task?.areas[0]?.points ?? [],
  start: task?.start ?? null,
  revision: task?.revision,
})

/** `onDrawn`: puts on the map what the form begins with. */
export function useTaskDraft(
  deviceId: number,
  map: MapDocument | undefined,
  task: RobotTask | undefined,
  onDrawn: (task: DrawnTask) => void,
) {
  const draft = useDraft<TaskDraft>(map && draftOfTask(deviceId, map.name, task?.name))
  const [begun] = useState(() => beginOf(task))
  const [values, setValues] = useState(draft.left ?? begun)
  const { name, manner, path, revision } = values
  const show = ({ area, start }: TaskDraft) =>
    onDrawn({ areas: area.length > 0 ? [{ points: area.map(([x, y]) => [x, y]) }] : [], start: start && [...start] })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the form opens
  useEffect(() => {
    if (draft.left) show(draft.left)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is put by is made of these
  useEffect(() => {
    const now: TaskDraft = { name, manner, path, ...drawn(map), revision }
    draft.keep(JSON.stringify(now) === JSON.stringify(begun) ? undefined : now)
  }, [values, map])
  return {
    ...values,
    change: (part: Partial<TaskDraft>) => setValues((all) => ({ ...all, ...part })),
    savedAt: draft.savedAt,
    /** Sent, or given up. */
    end: draft.discard,
    /** Begins again with the task as it stands. */
    discard: () => {
      draft.discard()
      setValues(begun)
      show(begun)
    },
  }
}
