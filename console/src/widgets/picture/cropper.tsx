/** The chosen part of a picture: dragged, moved by the arrow keys, zoomed. */
import { Slider } from 'antd'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { type Area, MOST_ZOOM, moved, type Size, zoomed, zoomOf } from './crop'
import styles from './crop.module.css'

const STEP = 8 // px on the screen, for a press of an arrow key
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

interface Props {
  picture: ImageBitmap
  area: Area
  /** px on the screen. */
  size: Size
  onChange(area: Area): void
  /** Stands beside it. */
  children?: ReactNode
}

export function Cropper({ picture, area, size, onChange, children }: Props) {
  const { t } = useTranslation('people')
  const last = useRef<readonly [number, number]>(undefined)
  const move = (dx: number, dy: number) => onChange(moved(picture, area, dx, dy))
  const scale = area.width / size.width // the picture's pixels for one of the screen
  const drag = (event: PointerEvent) => {
    if (!last.current) return
    const [x, y] = last.current
    last.current = [event.clientX, event.clientY]
    move((x - event.clientX) * scale, (y - event.clientY) * scale)
  }
  const press = (event: KeyboardEvent) => {
    const way = ARROWS[event.key]
    if (!way) return
    event.preventDefault()
    move(way[0] * scale, way[1] * scale)
  }
  return (
    <div className={styles.crop}>
      <button
        type="button"
        className={styles.cropped}
        aria-label={t('picture-how')}
        onPointerDown={(event) => {
          last.current = [event.clientX, event.clientY]
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          last.current = undefined
        }}
        onKeyDown={press}
      >
        <Drawn {...{ picture, area, size }} />
      </button>
      {children}
      <Slider
        className={styles.across ?? ''}
        min={1}
        max={MOST_ZOOM}
        step={0.05}
        value={zoomOf(picture, area)}
        onChange={(zoom) => onChange(zoomed(picture, area, zoom))}
        tooltip={{ open: false }}
        ariaLabelForHandle={t('zoom')}
      />
      <Text size="small" tone="soft" above="xs" className={styles.across}>
        {t('picture-how')}
      </Text>
    </div>
  )
}

/** As it will be size. */
export function Drawn({ picture, area, size, round }: Pick<Props, 'picture' | 'area' | 'size'> & { round?: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) draw(canvas.current, picture, area)
  }, [picture, area])
  const { width, height } = size
  return (
    <canvas
      ref={canvas}
      className={styles.drawn}
      data-round={round}
      width={width * 2} // sharp on screens that show two for one
      height={height * 2}
      style={{ width, height }}
    />
  )
}

export function draw(canvas: HTMLCanvasElement | OffscreenCanvas, picture: ImageBitmap, area: Area) {
  const paint = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null
  if (!paint) return
  paint.imageSmoothingQuality = 'high'
  paint.clearRect(0, 0, canvas.width, canvas.height)
  paint.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, canvas.width, canvas.height)
}
