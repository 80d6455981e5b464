/** Which rows of a list are chosen, the boxes to choose them with, and the line that says how many they are. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import type { Column } from '../columns'

/** What is done to many at once takes so many. */
export const CHOSEN_MOST = 1000

export interface Selection {
  readonly ids: ReadonlySet<number>
  turn(id: number): void
  choose(ids: readonly number[]): void
  clear(): void
}

/** `key`: what the list shows; nothing stays chosen that somebody looked away from. */
export function useSelection(key: string): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const before = useRef(key)
  useEffect(() => {
    if (before.current !== key) setIds(new Set())
    before.current = key
  }, [key])
  return {
    ids,
    turn: (id) =>
      setIds((chosen) => {
        const next = new Set(chosen)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    choose: (next) => setIds(new Set(next.slice(0, CHOSEN_MOST))),
    clear: () => setIds(new Set()),
  }
}

interface BoxProps {
  label: string
  on: boolean
  some?: boolean
  onTurn(): void
}

function Box({ label, on, some = false, onTurn }: BoxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return <input ref={box} type="checkbox" checked={on} onChange={onTurn} aria-label={label} title={label} />
}

interface ColumnOf<R> {
  selection: Selection
  rows: readonly R[]
  idOf(row: R): number
  /** What the box of a row, and that of all, is called. */
  labelOf(row: R): string
  allLabel: string
}

/** The first column: a box for each row, and in the heading one for all that are shown. */
export function choiceColumn<R>({ selection, rows, idOf, labelOf, allLabel }: ColumnOf<R>): Column<R> {
  const { ids } = selection
  const chosen = rows.filter((row) => ids.has(idOf(row))).length
  const all = rows.length > 0 && chosen === rows.length
  return {
    key: 'choice',
    label: 'common:select-all',
    picture: true,
    value: () => null,
    head: (
      <Box
        label={allLabel}
        on={all}
        some={chosen > 0 && !all}
        onTurn={() => (all ? selection.clear() : selection.choose(rows.map(idOf)))}
      />
    ),
    cell: (row) => <Box label={labelOf(row)} on={ids.has(idOf(row))} onTurn={() => selection.turn(idOf(row))} />,
  }
}

interface BarProps {
  selection: Selection
  loaded: number
  total: number
  loading: boolean
  /** Chooses all that match, also those on other pages. */
  onWhole(): void
  children: ReactNode
}

/** How many are chosen, what can be done with them, and the way to choose all that match. */
export function SelectionBar({ selection, loaded, total, loading, onWhole, children }: BarProps) {
  const { t } = useTranslation('shell')
  const count = selection.ids.size
  return (
    <Row wrap gap="m" align="center" size="control">
      <b role="status">{t('common:count-selected', { count })}</b>
      {count >= loaded && count < Math.min(total, CHOSEN_MOST) && (
        <Button size="small" type="text" loading={loading} onClick={onWhole}>
          {total > CHOSEN_MOST
            ? t('choose-first', { count: CHOSEN_MOST, total })
            : t('choose-matching', { count: total })}
        </Button>
      )}
      {children}
      <Button size="small" onClick={selection.clear}>
        {t('clear-choice')}
      </Button>
    </Row>
  )
}
