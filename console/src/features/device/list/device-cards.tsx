/** Robots as a wall of small floors. Only the rows of cards near the screen stand in the page. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Listed } from '@/widgets/robot/robot'
import { DeviceCard } from './device-card'
import styles from './device-cards.module.css'

const LEAST_WIDTH = 250 // px, of a card
const HEIGHT = 248
const GAP = 12
const BEYOND = 2 // rows above and below the screen

export const columnsIn = (width: number) => Math.max(1, Math.floor((width + GAP) / (LEAST_WIDTH + GAP)))

interface Props {
  rows: readonly Listed[]
  total: number
  scroller: RefObject<HTMLElement | null>
}

export function DeviceCards({ rows, total, scroller }: Props) {
  const { t } = useTranslation('common')
  const list = useRef<HTMLUListElement>(null)
  const { columns, above } = useRoom(list)
  const lines = useVirtualizer({
    count: Math.ceil(rows.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    gap: GAP,
    overscan: BEYOND,
    scrollMargin: above,
  })
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
              insetInlineStart: `calc(${i} * (100% + ${GAP}px) / ${columns})`,
              width: `calc((100% + ${GAP}px) / ${columns} - ${GAP}px)`,
              height: HEIGHT,
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
function useRoom(list: RefObject<HTMLElement | null>) {
  const [room, setRoom] = useState({ columns: 1, above: 0 })
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () => {
      const now = { columns: columnsIn(element.clientWidth), above: element.offsetTop }
      setRoom((was) => (was.columns === now.columns && was.above === now.above ? was : now))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [list])
  return room
}
