/** The one tool in hand on the map: drawing a task, sending the robot to a place, finding it in a window, measuring. */
import { useEffect, useMemo, useState } from 'react'
import { aim, frame } from '@/canvas/tools/aim'
import { area } from '@/canvas/tools/area'
import { startPoint } from '@/canvas/tools/flag'
import { measure } from '@/canvas/tools/measure'
import type { Editor, Tool } from '@/canvas/tools/tool'
import type { MapView } from '@/canvas/view'
import { live } from '@/shared/live/live'
import { useScope } from './scope'

export type Hand = 'area' | 'start' | 'goTo' | 'window' | 'measure' | undefined

export function useHand(view: MapView | undefined) {
  const { deviceId, actions } = useScope()
  const [hand, setHand] = useState<Hand>()

  const tool = useMemo((): ((editor: Editor) => Tool) | undefined => {
    switch (hand) {
      case 'area':
        return (editor) => area(editor)
      case 'start':
        return startPoint
      case 'measure':
        return () => measure((line) => view?.showMeasure(line))
      case 'goTo':
        return (editor) => {
          const tell = async (pose: Parameters<typeof actions.goTo>[0]) => {
            setHand(undefined)
            await actions.goTo(pose)
          }
          return aim(editor, (pose) => void tell(pose), live.robot(deviceId)?.row.yaw)
        }
      case 'window':
        return (editor) =>
          frame(editor, (box) => {
            setHand(undefined)
            void actions.findIn(box)
          })
      default:
        return undefined
    }
  }, [hand, view, actions, deviceId])

  useEffect(() => {
    if (hand !== 'goTo' && hand !== 'window' && hand !== 'measure') return
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && setHand(undefined)
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [hand])
  return { hand, setHand, tool }
}
