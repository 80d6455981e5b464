/** Robots as a wall of small floors. Only the rows of cards near the screen stand in the page. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useScale } from '@/shared/theme/scheme'
import type { Listed } from '@/widgets/robot/robot'
import { DeviceCard } from './device-card'
import styles from './device-cards.module.css'

// px of the look
const LEAST_WIDTH = 250 // of a card
const HEIGHT = 248
const GAP = 12
const BEYOND = 2 // rows above and below the screen

export const columnsIn = (width: number, scale = 1) =>
  Math.max(1, Math.floor((width / scale + GAP) / (LEAST_WIDTH + GAP)))

interface Props {
  rows: readonly Listed[]
  total: number
  scroller: RefObject<HTMLElement | null>
}

export function DeviceCards({ rows, total, scroller }: Props) {
  const { t } = useTranslation('common')
  const list = useRef<HTMLUListElement>(null)
  const scale = useScale()
  const { columns, above } = useRoom(list, scale)
  const [height, gap] = [HEIGHT * scale, GAP * scale]
  const lines = useVirtualizer({
    count: Math.ceil(rows.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    gap,
    overscan: BEYOND,
    scrollMargin: above,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the letters have another size
  useLayoutEffect(() => lines.measure(), [lines, scale])
  return (
    <ul ref={list} className={styles.wall} style={{ height: lines.getTotalSize() }} aria-label={t('device-list')}>
      {lines.getVirtualItems().flatMap((line) =>
        rows.slice(line.index * columns, (line.index + 1) * columns).map((row, i) => (
          <li
            key={row.deviceId}
            aria-setsize={total}
            aria-posinset={line.index * columns + i + 1}
            style={{
              insetBlockStart: line.start - above,
              insetInlineStart: `calc(${i} * (100% + ${gap}px) / ${columns})`,
              width: `calc((100% + ${gap}px) / ${columns} - ${gap}px)`,
              height,
            }}
          >
            <DeviceCard listed={row} />
          </li>
        )),
      )}
    </ul>
  )
}

/** How many cards stand side by side, and what stands above the list in its scroller. */
function useRoom(list: RefObject<HTMLElement | null>, scale: number) {
  const [room, setRoom] = useState({ columns: 1, above: 0 })
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () => {
      const now = { columns: columnsIn(element.clientWidth, scale), above: element.offsetTop }
      setRoom((was) => (was.columns === now.columns && was.above === now.above ? was : now))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [list, scale])
  return room
}
