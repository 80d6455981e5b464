/** The live map of one robot: pose, lidar, path and cells go from the socket to the canvas past React. */
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import type { Past } from '@/canvas/scene'
import type { MapView } from '@/canvas/view'
import { useFormats } from '@/shared/i18n/format'
import { ageOf } from '@/shared/live/age'
import { live } from '@/shared/live/live'
import { MapStage } from '@/widgets/map/map-stage'

const MOVES = 0.005 // m/s; slower is noise

interface Props extends ComponentProps<typeof MapStage> {
  deviceId: number
  /** What earlier runs cleaned. */
  past: Past
  /** What the robot's mark is called. */
  name: string
}

export function RobotMap({ deviceId, name, past, onView, ...stage }: Props) {
  const [view, setView] = useState<MapView>()
  const { unit } = useFormats()
  const unitRef = useRef(unit)
  unitRef.current = unit

  useEffect(() => {
    if (!view) return
    const pose = () => {
      const seen = live.robot(deviceId)
      if (!seen) return
      const { speed, mode } = seen.row
      const note = mode !== 'offline' && Math.abs(speed) > MOVES ? unitRef.current(speed, 'metre-per-second', 2) : ''
      view.setRobot({ ...seen.row, name, note, main: true, ageMs: ageOf(seen, Date.now()) })
    }
    pose()
    const stops = [
      live.listenTo([deviceId], pose),
      live.subscribe(deviceId, 'lidar', (data) => view.setLidar(data)),
      live.subscribe(deviceId, 'path', (data) => view.setPath(data)),
      live.subscribe(deviceId, 'cells', async (data) => {
        if (!(await view.applyCells(data))) live.again()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [view, deviceId, name])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another document takes the past off the view
  useEffect(() => view?.setPast(past), [view, past, stage.document])

  return (
    <MapStage
      {...stage}
      onView={(created) => {
        setView(created)
        onView?.(created)
      }}
    />
  )
}
