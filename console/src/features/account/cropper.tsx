/** The chosen square of a picture: dragged, moved by the arrow keys, zoomed; beside it as it will be shown. */
import { Slider } from 'antd'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import styles from './account.module.css'
import { MOST_ZOOM, moved, type Square, zoomed, zoomOf } from './crop'

const EDGE = 240 // px on the screen
const PREVIEW = 60
const STEP = 8 // px on the screen, for a press of an arrow key
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

interface Props {
  picture: ImageBitmap
  square: Square
  onChange(square: Square): void
}

export function Cropper({ picture, square, onChange }: Props) {
  const { t } = useTranslation('people')
  const last = useRef<readonly [number, number]>(undefined)
  const move = (dx: number, dy: number) => onChange(moved(picture, square, dx, dy))
  const scale = square.side / EDGE // the picture's pixels for one of the screen
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
        <Drawn picture={picture} square={square} edge={EDGE} />
      </button>
      <Drawn picture={picture} square={square} edge={PREVIEW} round />
      <Slider
        className={styles.across ?? ''}
        min={1}
        max={MOST_ZOOM}
        step={0.05}
        value={zoomOf(picture, square)}
        onChange={(zoom) => onChange(zoomed(picture, square, zoom))}
        tooltip={{ open: false }}
        ariaLabelForHandle={t('zoom')}
      />
      <Text size="small" tone="soft" above="xs" className={styles.across}>
        {t('picture-how')}
      </Text>
    </div>
  )
}

function Drawn({ picture, square, edge, round }: Omit<Props, 'onChange'> & { edge: number; round?: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) draw(canvas.current, picture, square)
  }, [picture, square])
  const pixels = edge * 2 // sharp on screens that show two for one
  return (
    <canvas
      ref={canvas}
      className={styles.drawn}
      data-round={round}
      width={pixels}
      height={pixels}
      style={{ width: edge, height: edge }}
    />
  )
}

export function draw(canvas: HTMLCanvasElement | OffscreenCanvas, picture: ImageBitmap, { x, y, side }: Square) {
  const paint = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null
  if (!paint) return
  paint.imageSmoothingQuality = 'high'
  paint.clearRect(0, 0, canvas.width, canvas.height)
  paint.drawImage(picture, x, y, side, side, 0, 0, canvas.width, canvas.height)
}
