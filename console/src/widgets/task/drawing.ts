/** A task on the map: one that is shown, or one that is drawn. A new revision of the floor keeps nothing drawn. */
import { useCallback, useState } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { type RobotTask, withTask } from './robot-task'

/** What is drawn for a task, one after the other. */
export type Drawing = 'area' | 'start' | undefined

export function useTaskDrawing(floor: MapDocument | undefined, onDraw: (next: Drawing) => void) {
  const [draft, setDraft] = useState<MapDocument>()
  const [drawn, setDrawn] = useState<string>()
  const [making, setMaking] = useState(false)
  const stands = draft && floor && draft.id === floor.id && draft.revision === floor.revision

  const committed = useCallback(
    (next: MapDocument) => {
      setDraft(next)
      // the next thing to do is handed over: after the area comes the start point
      const started = next.marks.some((mark) => mark.kind === 'startPoint')
      const before = (draft ?? floor)?.marks.find((mark) => mark.kind === 'taskArea')
      const area = next.marks.find((mark) => mark.kind === 'taskArea')
      onDraw(area !== before && !started ? 'start' : undefined)
    },
    [onDraw, draft, floor],
  )
  const show = (task: RobotTask) => {
    if (!floor || task.areas.length === 0 || drawn === task.name) {
      setDraft(undefined)
      setDrawn(undefined)
      return
    }
    setDraft(withTask(floor, task))
    setDrawn(task.name)
  }
  return {
    map: stands ? draft : floor,
    drawn,
    making,
    committed,
    show,
    /** What was drawn before the form opened. */
    restore: (task: Pick<RobotTask, 'areas' | 'start'>) => setDraft(floor && withTask(floor, { name: '', ...task })),
    /** Of a new one, or of one that is changed. */
    begin: (task?: RobotTask) => {
      setDrawn(undefined)
      setDraft(task && floor ? withTask(floor, task) : undefined)
      setMaking(true)
      onDraw(task ? undefined : 'area')
    },
    close: () => {
      setMaking(false)
      setDraft(undefined)
      onDraw(undefined)
    },
  }
}
