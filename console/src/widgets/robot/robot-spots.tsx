/**
 * The robots of a drawn floor as buttons over their marks: a canvas gives nothing to keyboards and screen readers. Whoever
 * draws the floor moves them, past React.
 */
import { type Ref, useImperativeHandle, useRef } from 'react'
import type { Point } from '@/canvas/geometry/geometry'
import { useRobotPart } from '@/shared/live/live'
import { useModeWord } from '@/shared/marks/mode'
import { RobotButton } from './robot-button'
import styles from './robot-card.module.css'

export interface Spots {
  /** px in the floor's box; a robot that is left out has left the floor. */
  place(places: ReadonlyMap<string | number, Point>): void
}

export interface NamedRobot {
  readonly deviceId: number
  readonly deviceCode: string
}

export function RobotSpots({ robots, ref }: { robots: readonly NamedRobot[]; ref: Ref<Spots> }) {
  const box = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => ({
    place: (places) => {
      for (const spot of box.current?.querySelectorAll<HTMLElement>('[data-robot]') ?? []) {
        const at = places.get(Number(spot.dataset.robot))
        spot.hidden = at === undefined
        if (at) spot.style.transform = `translate(${at.x}px, ${at.y}px) translate(-50%, -50%)`
      }
    },
  }))
  return (
    <div ref={box} className={styles.spots}>
      {robots.map((robot) => (
        <Spot key={robot.deviceId} robot={robot} />
      ))}
    </div>
  )
}

function Spot({ robot: { deviceId, deviceCode } }: { robot: NamedRobot }) {
  const word = useModeWord()
  const state = useRobotPart(deviceId, ({ mode, modeName }) => ({ mode, modeName }))
  return (
    <RobotButton
      deviceId={deviceId}
      label={state ? `${deviceCode}: ${word(state)}` : deviceCode}
      className={styles.spot}
      data-robot={deviceId}
      hidden
    />
  )
}
