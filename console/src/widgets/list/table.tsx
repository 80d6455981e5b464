/**
 * Rows as a dense table. A heading sorts, the arrow keys go from row to row and Enter opens one, and of a long list only the
 * rows near the screen stand in the page.
 */
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import styles from '@/shared/ui/table.module.css'
import { useActions } from '../actions/actions'
import { type Column, readValue, type Sort, type Writing } from './columns'
import list from './list.module.css'
import type { Hold } from './steady-rows'

/** From so many rows on, those far from the screen are only their height. */
const LONG = 100
const BEYOND = 12
const HEIGHT = 29 // px

interface Sorting {
  readonly by: Sort | undefined
  onTurn(key: string): void
  /** The columns that sort; without it all do. */
  readonly orders?: readonly string[] | undefined
}

interface Props<R> {
  label: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  writing: Writing
  idOf(row: R): string | number
  /** How the rows stand; missing where they have one order only, or not all of them are here. */
  sort?: Sorting | undefined
  /** At the end of a row. */
  actions?: ((row: R) => ReactNode) | undefined
  /** Enter on a row, or a double click. */
  onOpen?: ((row: R) => void) | undefined
  /** What unfolds below a row; undefined while it is folded. */
  details?: ((row: R) => ReactNode) | undefined
  className?: string | undefined
  /** Height of a row before it is measured, in px. */
  height?: number
  /** How many rows there are, where not all of them are here yet. */
  total?: number
  /** What a press of x does with a row: it chooses it, or no longer. */
  onChoose?: ((row: R) => void) | undefined
  /** Keeps the rows where they are while the pointer is on them. */
  hold?: Hold | undefined
  /** What the cells of a row stand in: what follows its live state for all of them. */
  around?: ((row: R, cells: ReactNode) => ReactNode) | undefined
}

export function ListTable<R>(props: Props<R>) {
  const { label, columns, rows, writing, idOf, sort, actions, onOpen, details, className, height = HEIGHT } = props
  const { total = rows.length, around = (_, cells) => cells, onChoose, hold } = props
  const table = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState(0)
  const [moved, setMoved] = useState(0)
  const long = rows.length > LONG
  const lines = useVirtualizer({
    count: rows.length,
    enabled: long,
    getScrollElement: () => scrollerOf(table.current),
    estimateSize: () => height,
    overscan: BEYOND,
    scrollMargin: useAbove(table, long),
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(current, rows.length - 1)])].sort((a, b) => a - b),
  })
  const items = lines.getVirtualItems()
  const places = long ? items.map(({ index }) => index) : rows.map((_, index) => index)
  useLayoutEffect(() => {
    if (moved > 0) table.current?.querySelector<HTMLElement>(`tr[data-place="${current}"]`)?.focus()
  }, [moved, current])
  const go = (place: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, place))
    if (long) lines.scrollToIndex(next)
    setCurrent(next)
    setMoved(moved + 1)
  }
  const step = (by: number) => go(table.current?.contains(document.activeElement) ? current + by : current)
  useRowKeys(rows.length > 0, {
    next: () => step(1),
    previous: () => step(-1),
    choose: onChoose && (() => rows[current] && onChoose(rows[current])),
  })
  const press = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    const line = event.target instanceof HTMLElement ? event.target.closest('tr[data-place]') : null
    const onLine = line === event.target
    const place = Number(line?.getAttribute('data-place'))
    const steps: Readonly<Record<string, number>> = { ArrowDown: place + 1, ArrowUp: place - 1 }
    const ends: Readonly<Record<string, number>> = { Home: 0, End: rows.length - 1 }
    const next = isField(event.target) ? undefined : (steps[event.key] ?? (onLine ? ends[event.key] : undefined))
    const row = rows[place]
    if (next !== undefined) go(next)
    else if (event.key === 'Enter' && onLine && row && onOpen) onOpen(row)
    else return
    event.preventDefault()
  }
  const width = columns.length + (actions ? 1 : 0)
  return (
    <div className={`${styles.box} ${list.room}`}>
      <table
        ref={table}
        className={`${styles.table} ${styles.soft} ${styles.cards} ${list.table} ${className ?? ''}`}
        aria-label={label}
        {...((long || total > rows.length) && { 'aria-rowcount': total + 1 })}
      >
        <Heads {...{ columns, writing, sort }} actions={actions !== undefined} />
        <tbody onKeyDown={press} {...hold}>
          {places.map((place, nth) => {
            const row = rows[place]
            if (row === undefined) return null
            const item = long ? items[nth] : undefined
            const gap = item ? item.start - (items[nth - 1]?.end ?? lines.options.scrollMargin) : 0
            const inner = details?.(row)
            return (
              <Fragment key={idOf(row)}>
                {gap > 0 && <Gap height={gap} columns={width} />}
                <tr
                  data-place={place}
                  {...(item && { ref: lines.measureElement, 'data-index': place, 'aria-rowindex': place + 2 })}
                  tabIndex={place === Math.min(current, rows.length - 1) ? 0 : -1}
                  onFocus={() => setCurrent(place)}
                >
                  {around(row, <Cells {...{ columns, row, writing, actions }} />)}
                </tr>
                {inner && (
                  <tr>
                    <td colSpan={width} className={list.inner}>
                      <div>{inner}</div>
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
          {long && (
            <Gap
              height={lines.getTotalSize() - ((items.at(-1)?.end ?? 0) - lines.options.scrollMargin)}
              columns={width}
            />
          )}
        </tbody>
      </table>
    </div>
  )
}

const isField = (target: EventTarget) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [role=combobox], [role=menu]') !== null

interface RowSteps {
  next(): void
  previous(): void
  choose: (() => void) | undefined
}

/** j and k go from row to row from anywhere on the page, x chooses the row. */
function useRowKeys(any: boolean, { next, previous, choose }: RowSteps) {
  const { t } = useTranslation('shell')
  const keys = [
    { id: 'row-next', label: t('row-next'), keys: ['j'], run: next },
    { id: 'row-previous', label: t('row-previous'), keys: ['k'], run: previous },
    ...(choose ? [{ id: 'row-choose', label: t('row-choose'), keys: ['x'], run: choose }] : []),
  ]
  useActions(any ? keys : [])
}

/** What scrolls around it: the page's own box, the console's, or the window. */
const scrollerOf = (table: HTMLElement | null) =>
  table && (table.closest<HTMLElement>('[data-scroller], main') ?? document.documentElement)

/** How far down the table begins in what scrolls. */
function useAbove(table: React.RefObject<HTMLTableElement | null>, long: boolean): number {
  const [above, setAbove] = useState(0)
  useLayoutEffect(() => {
    const scroller = scrollerOf(table.current)
    if (!long || !scroller || !table.current) return
    setAbove(table.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop)
  }, [table, long])
  return above
}

/** Stands for the rows that are far from the screen. */
const Gap = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 && (
    <tr className={list.gap}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )

interface HeadsProps<R> extends Pick<Props<R>, 'columns' | 'writing' | 'sort'> {
  actions: boolean
}

/** The headings of a list, for who lays its rows out otherwise: as a tree. */
export function Heads<R>({ columns, writing, sort, actions }: HeadsProps<R>) {
  const { t } = useTranslation()
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <Head key={column.key} column={column} writing={writing} sort={sort} />
        ))}
        {actions && (
          <th data-actions>
            <span className="unseen">{t('more')}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

/** The cells of a row. */
export const Cells = <R,>({ columns, row, writing, actions }: CellsProps<R>) => (
  <>
    {columns.map((column) => (
      <Cell key={column.key} column={column} row={row} writing={writing} />
    ))}
    {actions && <td data-actions>{actions(row)}</td>}
  </>
)

interface CellsProps<R> extends Pick<Props<R>, 'columns' | 'writing' | 'actions'> {
  row: R
}

interface HeadProps<R> {
  column: Column<R>
  writing: Writing
  sort: Props<R>['sort']
}

function Head<R>({ column, writing, sort }: HeadProps<R>) {
  const label = writing.t(column.label)
  const sides = column.number ? { 'data-number': true } : {}
  if (!sort || column.picture || sort.orders?.includes(column.key) === false)
    return (
      <th scope="col" {...sides}>
        {column.head ?? (column.unseen ? <span className="unseen">{label}</span> : label)}
      </th>
    )
  const by = sort.by?.key === column.key ? sort.by : undefined
  const Arrow = by?.descending ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" {...sides} aria-sort={by ? (by.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className={list.sort} onClick={() => sort.onTurn(column.key)}>
        {label}
        {by && <Arrow size={13} stroke={2} aria-hidden="true" />}
      </button>
    </th>
  )
}

interface CellProps<R> {
  column: Column<R>
  row: R
  writing: Writing
}

function Cell<R>({ column, row, writing }: CellProps<R>) {
  const { heading, number, soft, cut, ltr, picture, unseen } = column
  const value = column.cell ? undefined : readValue(column, row, writing)
  const content = column.cell
    ? column.cell(row, writing)
    : value !== null &&
      value !== undefined &&
      value !== '' && (
        <bdi {...(ltr && { dir: 'ltr' })}>{typeof value === 'number' ? writing.number(value) : value}</bdi>
      )
  if (heading) return <th scope="row">{content}</th>
  return (
    <td
      {...(!picture && !unseen && { 'data-label': writing.t(column.label) })}
      {...(number && { 'data-number': true })}
      {...(soft && { 'data-soft': true })}
      {...(cut && { className: list.cut, ...(typeof value === 'string' && { title: value }) })}
    >
      {content}
    </td>
  )
}
