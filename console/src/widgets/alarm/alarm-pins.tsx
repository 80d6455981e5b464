/**
 * Open alarms of a drawn floor as pins at the places where they were raised: a press leads to the alarm and its evidence.
 * Whoever draws the floor moves them, past React. Those of one place share a pin, which names the gravest first.
 */
import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { Point } from '@/canvas/geometry/geometry'
import { useFormats } from '@/shared/i18n/format'
import { StateMark } from '@/shared/marks/state-mark'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { alarmPath } from '../paths'
import styles from './alarm-pins.module.css'
import { markOfOpen } from './open-alarms'

type OpenAlarm = Answer<'/warn/listUnProcess'>['list'][number]

/** How a place of the map becomes px in the floor's box; undefined until it is drawn. */
export type ToScreen = { readonly current: ((at: Point) => Point) | undefined }

export interface Pins {
  /** The floor was drawn anew. */
  place(): void
}

interface PinnedAlarms {
  readonly at: Point
  /** The gravest first. */
  readonly alarms: readonly [OpenAlarm, ...OpenAlarm[]]
}

interface Props {
  /** Numbers of the floor's maps: each of its robots has one of its own. */
  maps: readonly number[]
  toScreen: ToScreen
  ref: Ref<Pins>
}

const APART_M = 0.5
const NONE: readonly PinnedAlarms[] = []

function useFloorAlarms(maps: readonly number[]): readonly PinnedAlarms[] {
  const enabled = useMay('index/realWarn') && maps.length > 0
  const open = useCall('/warn/listUnProcess', {}, { enabled })
  if (!enabled || !open.data) return NONE
  return gather(open.data.list.filter(({ mapId }) => mapId !== null && maps.includes(mapId)))
}

function gather(alarms: readonly OpenAlarm[]): PinnedAlarms[] {
  const pins: { at: Point; alarms: [OpenAlarm, ...OpenAlarm[]] }[] = []
  for (const alarm of alarms) {
    const { x, y } = alarm
    if (x === null || y === null) continue
    const near = pins.find(({ at }) => Math.hypot(at.x - x, at.y - y) < APART_M)
    if (near) near.alarms.push(alarm)
    else pins.push({ at: { x, y }, alarms: [alarm] })
  }
  return pins
}

export function AlarmPins({ maps, toScreen, ref }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const pins = useFloorAlarms(maps)
  const { time } = useFormats()
  const move = () => {
    const places = [...(box.current?.children ?? [])] as HTMLElement[]
    for (const [i, pin] of pins.entries()) {
      const at = toScreen.current?.(pin.at)
      const element = places[i]
      if (element && at) element.style.transform = `translate(${at.x}px, ${at.y}px)`
    }
  }
  useImperativeHandle(ref, () => ({ place: move }))
  useLayoutEffect(move)
  const wordsOf = ({ content, deviceCode, time: raised }: OpenAlarm) =>
    `${content}, ${deviceCode}, ${time(Date.parse(raised))}`
  return (
    <div ref={box} className={styles.pins}>
      {pins.map(({ alarms }) => {
        const label = alarms.map(wordsOf).join('\n')
        return (
          <Link
            key={alarms[0].warnId}
            to={alarmPath(alarms[0].warnId)}
            className={styles.pin}
            aria-label={label}
            title={label}
          >
            <StateMark state={markOfOpen(alarms[0])} size={16} />
            {alarms.length > 1 && <sup>{alarms.length}</sup>}
          </Link>
        )
      })}
    </div>
  )
}
