/**
 * One small floor: plan, painted cells and robots. Poses and cells go from the socket to the canvas past React; a new
 * picture is drawn at most once a frame, and only when something on this floor changed.
 */
import { useEffect, useRef } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { type CleanedCells, cleanedCells } from '@/canvas/document/wire'
import { type Camera, toMap, toScreen } from '@/canvas/geometry/camera'
import type { Point } from '@/canvas/geometry/geometry'
import { readPalette } from '@/canvas/palette'
import type { Raster } from '@/canvas/raster/raster'
import { union } from '@/canvas/raster/union'
import type { Past } from '@/canvas/scene'
import { renderTile } from '@/canvas/tile'
import { ageOf } from '@/shared/live/age'
import { live, useShow } from '@/shared/live/live'
import { useMode } from '@/shared/theme/scheme'
import type { Pins, ToScreen } from '../alarm/alarm-pins'
import { LazyAlarmPins } from '../alarm/lazy-alarm-pins'
import { RobotSpots, type Spots } from '../robot/robot-spots'
import styles from './floor.module.css'

const NO_PAST: Past = {}
const AGE_STEP_MS = 1000 // a robot that falls silent fades without a frame of its own

interface Props {
  document: MapDocument
  /** What earlier runs cleaned. */
  past?: Past
  /** Ids of the robots on it. */
  robots: readonly number[]
  /** The map of each of them on which it stands here: who has loaded another has left the floor. */
  maps?: readonly number[]
  /** What they are called, in the same order: then each can be pointed at for its card. */
  names?: readonly string[]
  /** Maps of this floor, whose open alarms are pinned on it. */
  pinned?: readonly number[] | undefined
  /** Draw obstacles; left out on cards. */
  furniture?: boolean
  label: string
  /** A place of the floor that was pressed. */
  onTap?: ((at: Point) => void) | undefined
}

export function FloorCanvas({
  document,
  past = NO_PAST,
  robots,
  maps,
  names,
  pinned,
  furniture = false,
  label,
  onTap,
}: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const spots = useRef<Spots>(null)
  const pins = useRef<Pins>(null)
  const place = useRef<ToScreen['current']>(undefined)
  const theme = useMode()
  const seenBy = useRef<Camera>(undefined)
  const ids = robots.join()
  const floors = maps?.join() ?? ''
  useShow({ robots, cells: robots })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the palette reads
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const deviceIds = ids ? ids.split(',').map(Number) : []
    const own = floors ? floors.split(',').map(Number) : []
    const palette = readPalette(element)
    const { width, height } = document.frame
    const painted = new Map<number, Raster>()
    let frame = 0
    const draw = () => {
      frame = 0
      const now = Date.now()
      const robots = deviceIds.flatMap((id, i) => {
        const seen = live.robot(id)
        const here = own[i] === undefined || own[i] === seen?.row.mapId
        return seen && here ? [{ ...seen.row, ageMs: ageOf(seen, now) }] : []
      })
      const camera = renderTile(element, {
        document,
        palette,
        cells: union([past.cells, ...painted.values()]),
        faded: past.faded,
        robots,
        furniture,
      })
      seenBy.current = camera
      const size = { width: element.clientWidth, height: element.clientHeight }
      place.current = (at) => toScreen(camera, size, at)
      pins.current?.place()
      spots.current?.place(new Map(robots.map((robot) => [robot.id, toScreen(camera, size, robot)])))
    }
    const soon = () => {
      frame ||= requestAnimationFrame(draw)
    }
    const stops = deviceIds.map((id) => {
      const cells: CleanedCells = cleanedCells(width, height, (raster) => {
        painted.set(id, raster)
        soon()
      })
      return live.subscribe(id, 'cells', (data) => void cells.apply(data))
    })
    const unlisten = live.listenTo(deviceIds, soon)
    const resized = new ResizeObserver(soon)
    resized.observe(element)
    const ageing = setInterval(soon, AGE_STEP_MS)
    draw()
    return () => {
      cancelAnimationFrame(frame)
      clearInterval(ageing)
      resized.disconnect()
      unlisten()
      for (const stop of stops) stop()
    }
  }, [document, past, ids, floors, furniture, theme])

  useEffect(() => {
    const element = canvas.current
    if (!element || !onTap) return
    const press = ({ offsetX: x, offsetY: y }: MouseEvent) => {
      const size = { width: element.clientWidth, height: element.clientHeight }
      if (seenBy.current) onTap(toMap(seenBy.current, size, { x, y }))
    }
    element.addEventListener('click', press)
    return () => element.removeEventListener('click', press)
  }, [onTap])

  return (
    <>
      <canvas ref={canvas} className={styles.canvas} data-tap={onTap && ''} role="img" aria-label={label} />
      {names && (
        <RobotSpots ref={spots} robots={robots.map((id, i) => ({ deviceId: id, deviceCode: names[i] ?? '' }))} />
      )}
      {pinned && <LazyAlarmPins ref={pins} toScreen={place} maps={pinned} />}
    </>
  )
}
