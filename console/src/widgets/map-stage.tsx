/**
 * The map engine in a page: a box that holds its imperative view. Documents and tools come as props; whatever lives
 * (poses, lidar, cells) is told to the view past React. Children get the view once it stands.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isFlag, type MapDocument } from '@/canvas/document'
import { middle } from '@/canvas/geometry'
import type { Editor, Refusal, Tool } from '@/canvas/tools/tool'
import { createMapView, type MapView } from '@/canvas/view'
import { useFormats } from '@/shared/i18n/format'
import { useMode } from '@/shared/theme/scheme'
import styles from './map-stage.module.css'

interface Props {
  label: string
  document: MapDocument | undefined
  /** Makes the tool in hand; undefined: look only. Keep it stable between renders. */
  tool?: ((editor: Editor) => Tool) | undefined
  onCommit?: (map: MapDocument) => void
  onView?: (view: MapView | undefined) => void
  children?: (view: MapView) => ReactNode
}

/** Rooms carry their names; a task's own area does not. */
const labelsOf = (map: MapDocument) =>
  map.marks.flatMap((mark) =>
    mark.kind === 'freeArea' && mark.name && !isFlag(mark) ? [{ at: middle(mark.points), text: mark.name }] : [],
  )

/** Rooms are named, not outlined: their outlines lie on the walls. */
const withoutRooms = (map: MapDocument): MapDocument => ({
  ...map,
  marks: map.marks.filter((mark) => mark.kind !== 'freeArea'),
})

/** What a refused shape says: the measure and the way out. */
function useRefusalLines(): (refusal: Refusal) => readonly string[] {
  const { t } = useTranslation('robot')
  const { unit } = useFormats()
  return ({ reason, width, height }) => {
    if (reason === 'map.beyondEdge' && width !== undefined && height !== undefined) {
      const measure = { width: unit(width, 'metre', 1), height: unit(height, 'metre', 1) }
      return [t('beyond-edge-by', measure), t('beyond-edge-fit')]
    }
    if (reason === 'map.beyondEdge') return [t('no-map-beyond-edge')]
    return [reason === 'map.notFree' ? t('not-free') : t('area-too-small')]
  }
}

export function MapStage({ label, document, tool, onCommit, onView, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<MapView>()
  const theme = useMode()
  const { unit } = useFormats()
  const lines = useRefusalLines()
  const told = useRef({ onCommit, onView, lines, unit })
  told.current = { onCommit, onView, lines, unit }

  useEffect(() => {
    if (!box.current) return
    const made = createMapView(box.current, {
      label,
      text: {
        length: (metres) => told.current.unit(metres, 'metre', 2),
        refusal: (refusal) => told.current.lines(refusal),
      },
      onCommit: (map) => told.current.onCommit?.(map),
    })
    setView(made)
    told.current.onView?.(made)
    return () => {
      told.current.onView?.(undefined)
      setView(undefined)
      made.destroy()
    }
  }, [label])

  // a drawing in hand carries no rooms: their names stay as long as the floor does
  const named = useRef<string>(undefined)
  useEffect(() => {
    if (!view) return
    view.setDocument(document && withoutRooms(document))
    const rooms = document ? labelsOf(document) : []
    if (rooms.length > 0 || named.current !== document?.id) view.setLabels(rooms)
    named.current = document?.id
  }, [view, document])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the view reads
  useEffect(() => view?.setTheme(), [view, theme])
  useEffect(() => view?.setTool(tool?.(view.editor)), [view, tool])

  return (
    <div className={styles.stage} data-floor={document?.grid ? 'shown' : undefined}>
      <div ref={box} className={styles.canvas} />
      {view && children?.(view)}
    </div>
  )
}
