/** A task on its floor, small: the robot's own picture of it where it has one, else drawn from the map. */
import { useEffect, useRef } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { type Palette, readPalette } from '@/canvas/palette'
import { renderStill } from '@/canvas/tile'
import { useMode } from '@/shared/theme/scheme'
import { type RobotTask, withTask } from '@/widgets/task/robot-task'
import { useMap } from './floors'
import styles from './robot.module.css'
import { usePng } from './tasks'

type Drawn = Pick<RobotTask, 'name' | 'areas' | 'start'>

const SIZE = { width: 240, height: 160 }

/** Without the marks of the map itself: at this size they would hide the task. */
const bare = (floor: MapDocument): MapDocument => ({ ...floor, marks: [] })

function paintTask(canvas: HTMLCanvasElement, floor: MapDocument, task: Drawn, palette: Palette) {
  renderStill(canvas, { document: withTask(bare(floor), task), palette, padding: 8 })
}

/** The picture that the robot keeps, as base64 of a PNG. */
export function pngOf(floor: MapDocument, task: Drawn): string {
  const canvas = Object.assign(document.createElement('canvas'), SIZE)
  paintTask(canvas, floor, task, readPalette(document.documentElement))
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '')
}

interface Props {
  deviceId: number
  task: RobotTask
  online: boolean
  label: string
}

export function TaskPicture({ deviceId, task, online, label }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useMode()
  const png = usePng(deviceId, task, online)
  const { document: floor } = useMap(deviceId, task.map_name)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the palette reads
  useEffect(() => {
    if (canvas.current && floor) paintTask(canvas.current, floor, task, readPalette(canvas.current))
  }, [floor, task, theme, png])
  if (png) return <img className={styles.picture} src={`data:image/png;base64,${png}`} alt={label} />
  return <canvas ref={canvas} className={styles.picture} role="img" aria-label={label} {...SIZE} />
}
