/** The whole plan in a corner, and which part of it is seen; a press or a drag on it moves the view there. */
import { type PointerEvent, useEffect, useRef } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { type Camera, toMap, toScreen } from '@/canvas/geometry/camera'
import type { Box } from '@/canvas/geometry/geometry'
import { readPalette } from '@/canvas/palette'
import { renderTile } from '@/canvas/tile'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import { useMode } from '@/shared/theme/scheme'
import { Row } from '@/shared/ui/layout'
import styles from './editor.module.css'

const PADDING = 4 // px

interface Props {
  view: MapView
  map: MapDocument
  /** Gives the listener to what is seen, past React. */
  listen(take: ((seen: Box) => void) | undefined): void
}

export function Overview({ view, map, listen }: Props) {
  const { t } = useTranslation('map')
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLSpanElement>(null)
  const camera = useRef<Camera>(undefined)
  const theme = useMode()
  const { grid } = map

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn on the map is not shown; the theme is
  useEffect(() => {
    const [plan, seen, button] = [canvas.current, frame.current, canvas.current?.closest('button')]
    if (!plan || !seen || !button) return
    const palette = readPalette(plan)
    const drawn = renderTile(plan, { document: map, palette, furniture: false, padding: PADDING })
    camera.current = drawn
    const size = { width: plan.clientWidth, height: plan.clientHeight }
    const place = (box: Box) => {
      button.hidden = view.small
      const from = toScreen(drawn, size, { x: box.left, y: box.top })
      const to = toScreen(drawn, size, { x: box.right, y: box.bottom })
      const inside = (at: number, most: number) => Math.min(Math.max(at, 0), most)
      const [left, top] = [inside(from.x, size.width), inside(from.y, size.height)]
      seen.style.translate = `${left}px ${top}px`
      seen.style.width = `${inside(to.x, size.width) - left}px`
      seen.style.height = `${inside(to.y, size.height) - top}px`
    }
    place(view.seen)
    listen(place)
    return () => listen(undefined)
  }, [view, grid, theme, listen])

  const look = (event: PointerEvent<HTMLElement>) => {
    const plan = canvas.current
    if (!plan || !camera.current || event.buttons !== 1) return
    const { left, top, width, height } = plan.getBoundingClientRect()
    const at = { x: event.clientX - left, y: event.clientY - top }
    view.centreOn(toMap(camera.current, { width, height }, at))
  }
  return (
    <Row
      as="button"
      type="button"
      pad="s"
      surface
      className={styles.float}
      data-place="bottom"
      aria-label={t('overview')}
      title={t('overview-how')}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        look(event)
      }}
      onPointerMove={look}
      onClick={({ detail }) => detail === 0 && view.fit()} // by key: the whole map
    >
      <canvas ref={canvas} />
      <span ref={frame} data-frame />
    </Row>
  )
}
