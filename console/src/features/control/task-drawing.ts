/** A task on the map: one that is shown, or a new one that is drawn. A new revision of the floor keeps nothing drawn. */
import { useCallback, useState } from 'react'
import { type MapDocument, newId, withOnly } from '@/canvas/document'
import type { Hand } from './hand'
import type { RobotTask } from './robot-tasks'

export function useTaskDrawing(floor: MapDocument | undefined, setHand: (next: (was: Hand) => Hand) => void) {
  const [draft, setDraft] = useState<MapDocument>()
  const [shown, setShown] = useState<string>()
  const [making, setMaking] = useState(false)
  const stands = draft && floor && draft.id === floor.id && draft.revision === floor.revision

  const committed = useCallback(
    (next: MapDocument) => {
      setDraft(next)
      // the next thing to do is handed over: after the area comes the start point
      const started = next.marks.some((mark) => mark.kind === 'startPoint')
      setHand((was) => (was === 'area' && !started ? 'start' : undefined))
    },
    [setHand],
  )
  const show = (task: RobotTask) => {
    const points = task.areas[0]?.points.map(([x, y]) => ({ x, y }))
    if (!floor || !points || shown === task.name) {
      setDraft(undefined)
      setShown(undefined)
      return
    }
    const marked = withOnly(floor, { id: newId(), kind: 'taskArea', name: task.name, points })
    const start = task.start && { x: task.start[0], y: task.start[1], yaw: 0 }
    setDraft(start ? withOnly(marked, { id: newId(), kind: 'startPoint', name: '', at: start }) : marked)
    setShown(task.name)
  }
  return {
    map: stands ? draft : floor,
    shown,
    making,
    committed,
    show,
    begin: () => {
      setShown(undefined)
      setDraft(undefined)
      setMaking(true)
      setHand(() => 'area')
    },
    close: () => {
      setMaking(false)
      setDraft(undefined)
      setHand(() => undefined)
    },
  }
}
