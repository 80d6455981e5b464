/**
 * The map engine in a page: a box that holds its imperative view. Documents and tools come as props; whatever lives
 * (poses, lidar, cells) goes to the view past React. Children get the view once it stands.
 */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isFlag, type MapDocument } from '@/canvas/document/document'
import { area, boxOf, middle, type Point } from '@/canvas/geometry/geometry'
import type { MapOptions, Steps } from '@/canvas/options'
import type { Label } from '@/canvas/paint/text'
import type { Editor, Refusal, Tool } from '@/canvas/tools/tool'
import { createMapView, type MapView } from '@/canvas/view'
import { FloorSkeleton } from '@/shared/controls/skeleton'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useMode, useScale } from '@/shared/theme/scheme'
import { Loading } from '@/shared/ui/query-view'
import type { Pins, ToScreen } from '../alarm/alarm-pins'
import { LazyAlarmPins } from '../alarm/lazy-alarm-pins'
import { type NamedRobot, RobotSpots, type Spots } from '../robot/robot-spots'
import styles from './map-stage.module.css'

type Listeners = Pick<MapOptions, 'onPointer' | 'onSelect' | 'onDraft' | 'onRefuse' | 'onMeasure' | 'onSeen'>

interface Props {
  label: string
  document: MapDocument | undefined
  /** Makes the tool in hand; undefined: look only. Keep it stable between renders. */
  tool?: ((editor: Editor) => Tool) | undefined
  onCommit?: (map: MapDocument) => void
  /** A place that was pressed while no tool is in hand. */
  onTap?: ((at: Point) => void) | undefined
  onView?: (view: MapView | undefined) => void
  /** Rooms are drawn with their outlines, as marks like the others; else they only carry their names. */
  outlines?: boolean
  /** Where the steps of drawing stand, if they outlive this stage. */
  steps?: Steps | undefined
  /** What happens on the map, past React; read once. */
  hear?: Listeners
  /** px at the edges that floating tools stand on, at the left where it is a number. Keep it stable between renders. */
  inset?: number | MapOptions['inset']
  /** Robots on it that can be pointed at for their card, while no tool is in hand. */
  robots?: readonly NamedRobot[]
  /** Maps of this floor, whose open alarms are pinned on it while no tool is in hand. */
  pinned?: readonly number[] | undefined
  children?: (view: MapView, following: boolean) => ReactNode
}

/** What the page shows of the camera; the same while the map is only moved. */
const STILL = { metres: 0, px: 0, following: false }

const NOBODY: readonly NamedRobot[] = []

const across = (points: readonly Point[]) => {
  const { left, right } = boxOf(points)
  return right - left
}

/** Rooms carry their names; a task's own area does not. */
const labelsOf = (map: MapDocument, size: (squareMetres: number) => string): Label[] =>
  map.marks.flatMap((mark) =>
    mark.kind === 'freeArea' && mark.name && !isFlag(mark)
      ? [{ at: middle(mark.points), text: mark.name, detail: size(area(mark.points)), room: across(mark.points) }]
      : [],
  )

/** Rooms are named, not outlined: their outlines lie on the walls. */
const withoutRooms = (map: MapDocument): MapDocument => ({
  ...map,
  marks: map.marks.filter((mark) => mark.kind !== 'freeArea'),
})

/** What a refused shape says: the measure and the way out. */
function useRefusalLines(): (refusal: Refusal) => readonly string[] {
  const { t } = useTranslation('robot')
  const { extent } = useFormats()
  return ({ reason, width, height }) => {
    if (reason === 'map.beyondEdge' && width !== undefined && height !== undefined) {
      return [t('beyond-edge-by', { size: extent(width, height) }), t('beyond-edge-fit')]
    }
    if (reason === 'map.beyondEdge') return [t('no-map-beyond-edge')]
    if (reason === 'map.noRoomAcross') return [t('no-room-across')]
    return [reason === 'map.notFree' ? t('not-free') : t('area-too-small')]
  }
}

export function MapStage({
  label,
  document,
  tool,
  onCommit,
  onTap,
  onView,
  outlines = false,
  steps,
  hear,
  inset = 0,
  robots = NOBODY,
  pinned,
  children,
}: Props) {
  const box = useRef<HTMLDivElement>(null)
  const spots = useRef<Spots>(null)
  const pins = useRef<Pins>(null)
  const place = useRef<ToScreen['current']>(undefined)
  const [view, setView] = useState<MapView>()
  const [camera, setCamera] = useState(STILL)
  const theme = useMode()
  const scale = useScale()
  const { unit, area: size } = useFormats()
  const lines = useRefusalLines()
  const { t } = useTranslation('robot')
  const latest = useRef({ onCommit, onTap, onView, lines, unit, area: size, hear, t })
  latest.current = { onCommit, onTap, onView, lines, unit, area: size, hear, t }

  useEffect(() => {
    if (!box.current) return
    const created = createMapView(box.current, {
      ...latest.current.hear,
      ...(steps && { steps }),
      label,
      text: {
        length: (metres) => latest.current.unit(metres, 'metre', 2),
        closed: (hours) => latest.current.t('hours-closed', { hours }),
        private: () => latest.current.t('no-picture'),
        refusal: (refusal) => latest.current.lines(refusal),
      },
      inset: typeof inset === 'number' ? { left: inset } : inset,
      onTap: (at) => latest.current.onTap?.(at),
      onRobots: (places) => spots.current?.place(places),
      onFrame: (toScreen) => {
        place.current = toScreen
        pins.current?.place()
      },
      onCommit: (map) => latest.current.onCommit?.(map),
      onCamera: ({ bar, following }) =>
        setCamera((was) =>
          was.px === bar.px && was.metres === bar.metres && was.following === following ? was : { ...bar, following },
        ),
    })
    setView(created)
    latest.current.onView?.(created)
    return () => {
      latest.current.onView?.(undefined)
      setView(undefined)
      created.destroy()
    }
  }, [label, inset, steps])

  // a drawing in hand carries no rooms: their names stay as long as the floor does
  const named = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (!view) return
    view.setDocument(outlines ? document : document && withoutRooms(document))
    const rooms = document && !outlines ? labelsOf(document, (m2) => latest.current.area(m2).text) : []
    if (rooms.length > 0 || named.current !== document?.id) view.setLabels(rooms)
    named.current = document?.id
  }, [view, document, outlines])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme and the size of letters change what the view reads
  useEffect(() => view?.setTheme(), [view, theme, scale])
  // with the words that ask for it: whoever reads “press where the robot begins” has the tool in hand
  useLayoutEffect(() => view?.setTool(tool?.(view.editor)), [view, tool])

  return (
    <div className={styles.stage} data-floor={document?.grid && camera.px > 0 ? 'shown' : undefined}>
      <div ref={box} className={styles.canvas} />
      {!document && <Loading shape={<FloorSkeleton />} />}
      {robots.length > 0 && !tool && <RobotSpots ref={spots} robots={robots} />}
      {!tool && document && pinned && <LazyAlarmPins ref={pins} toScreen={place} maps={pinned} />}
      {camera.px > 0 && document && (
        <span className={styles.scale} style={{ inlineSize: camera.px }} aria-hidden="true">
          {unit(camera.metres, 'metre', 2)}
        </span>
      )}
      {view && children?.(view, camera.following)}
    </div>
  )
}
