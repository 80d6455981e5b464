/** A floor in a list: asks for its plan when it comes into sight, and says when there is none. */
import { type ComponentProps, type ReactNode, useRef } from 'react'
import type { Point } from '@/canvas/geometry/geometry'
import { FloorSkeleton } from '@/shared/controls/skeleton'
import { Loading } from '@/shared/ui/query-view'
import { SupportLock } from '../support-closed'
import { useFloor } from './floor'
import styles from './floor.module.css'
import { FloorCanvas } from './floor-canvas'
import { usePast } from './past'
import { useInView } from './use-in-view'

interface Props {
  /** Whose map it is: a robot that knows it. */
  deviceId: number | undefined
  mapId: number | null | undefined
  robots: readonly number[]
  /** What each of them calls this floor; without it they are on it whatever they have loaded. */
  maps?: readonly number[]
  /** What they are called, where each can be pointed at. */
  names?: readonly string[]
  furniture?: boolean
  /** Whether what is wrong there is pinned on it. */
  pinned?: boolean
  label: string
  /** A place of the floor that was pressed. */
  onTap?: ((at: Point) => void) | undefined
  /** What stands there without a plan. */
  missing: ReactNode
}

export function FloorTile({ mapId, ...rest }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const seen = useInView(box)
  return (
    <div ref={box} className={styles.box}>
      {seen && <Plan mapId={mapId} {...rest} />}
    </div>
  )
}

function Plan({ deviceId, mapId, missing, ...rest }: Props) {
  const floor = useFloor(deviceId, mapId)
  if (floor.closed)
    return (
      <div className={styles.missing}>
        <SupportLock />
      </div>
    )
  if (floor.missing) return <div className={styles.missing}>{missing}</div>
  if (!floor.document) return <Loading shape={<FloorSkeleton />} />
  return <Painted document={floor.document} {...rest} />
}

interface PaintedProps extends Omit<ComponentProps<typeof FloorCanvas>, 'past' | 'pinned'> {
  pinned?: boolean
}

function Painted({ pinned = false, ...props }: PaintedProps) {
  return <FloorCanvas {...props} past={usePast(props.document)} pinned={pinned ? props.maps : undefined} />
}
