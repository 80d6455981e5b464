/**
 * A list of one kind of rows, as every screen shows one: what narrows it, its own tools (columns, saved views, export), then
 * rows, or the one of the texts that says why there are none. Screens give its columns and what can be done with a row.
 */

import type { ReactNode } from 'react'
import { Button } from '@/shared/controls/button'
import { type Pack, useTranslation } from '@/shared/i18n/text'
import { Panel } from '@/shared/ui/panel'
import { Nothing, type Query, QueryView } from '@/shared/ui/query-view'
import { type Column, sorted, useColumns, useSort, useWriting, type Writing } from './columns'
import { SORTED_MOST } from './filters'
import styles from './list.module.css'
import { Foot } from './pages'
import { type Sum, sheetOf } from './sheet/cells'
import { csvOf } from './sheet/csv'
import { ListTable } from './table'
import { ColumnMenu } from './tools/column-menu'
import { ExportButton, type Form } from './tools/export-button'
import { LayoutChoice, useLayout } from './tools/layout-choice'
import { SortMenu } from './tools/sort-menu'
import { ViewMenu } from './tools/view-menu'

export interface Paging {
  readonly currentPage: number
  readonly pageSize: number
}

interface Answer<R> {
  readonly list: readonly R[]
  readonly total?: number
}

interface Props<R> {
  /** Under which its columns and views are kept, and the name of its sheet. */
  name: string
  /** The pack that its headings are in. */
  texts: Pack
  label: string
  columns: readonly Column<R>[]
  query: Query<Answer<R>>
  idOf(row: R): string | number
  narrowed?: boolean
  /** Takes the filters away. */
  onReset?(): void
  /** What stands there before the first row. */
  empty: ReactNode
  /** The search and filters. */
  search?: ReactNode
  /** At the end of the line of tools: what is done with the list as a whole. */
  tools?: ReactNode
  /** Sums of all rows that match, beside their number. */
  sums?: string | undefined
  paging?: Paging
  onPage?(page: number): void
  /** Every row, of a list that comes page by page: they are what an export writes. */
  loadAll?: (() => Promise<readonly R[]>) | undefined
  /** Columns that the server sorts by; without it all rows are sorted here, once they have come. */
  orders?: readonly string[] | undefined
  /** The sheet of every page, where the server makes one; without it, it is written here. */
  sheet?: { readonly name: string; fetch(form: Form): Promise<Blob> }
  /** The last row of a sheet that is written here. */
  sum?: Sum<R> | undefined
  actions?(row: R): ReactNode
  onOpen?(row: R): void
  details?(row: R): ReactNode
  className?: string | undefined
  height?: number
  /** Its rows as cards, unless somebody chooses the table; `sorted`: they have another order than their own. */
  cards?(rows: readonly R[], sorted: boolean): ReactNode
  /** What stands in place of the table: its rows as a tree. */
  body?(columns: readonly Column<R>[], writing: Writing): ReactNode
}

export function ListView<R>(props: Props<R>) {
  const { name, texts, columns, query, narrowed = false, onReset, empty, search, tools, sheet, cards, loadAll } = props
  const { orders } = props
  const { t } = useTranslation('shell')
  const writing = useWriting(texts)
  const visible = useColumns(name, columns).columns
  const [sort, onTurn] = useSort()
  const [layout, onLayout] = useLayout()
  const asCards = cards && layout === 'cards'
  const loaded = query.data?.list ?? []
  const total = query.data?.total ?? loaded.length
  const by = columns.find(({ key }) => key === sort?.key)
  const inOrder = (all: readonly R[]) => (sort && by && !orders ? sorted(all, by, sort.descending, writing) : all)
  const rows = loaded.length === total ? inOrder(loaded) : loaded
  const sorts = !props.body && (orders !== undefined || total <= SORTED_MOST)
  const write = async (form: Form, all: readonly R[]) => {
    const content = sheetOf(visible, all, writing, props.sum)
    return form === 'csv' ? csvOf(content) : (await import('./sheet/workbook')).workbookOf(content)
  }
  return (
    <>
      <div className={styles.bar}>
        <search className={styles.tools}>{search}</search>
        <div className={styles.rest}>
          <ViewMenu name={name} />
          {asCards ? (
            <SortMenu {...{ columns, writing, sort, onTurn }} />
          ) : (
            <>
              <ColumnMenu name={name} columns={columns} label={(column) => writing.t(column.label)} />
              {sorts && (
                <span className={styles.phone}>
                  <SortMenu columns={visible} {...{ writing, sort, onTurn, orders }} />
                </span>
              )}
            </>
          )}
          <ExportButton
            name={sheet?.name ?? name}
            disabled={loaded.length === 0}
            fetch={sheet?.fetch ?? (async (form) => write(form, loadAll ? inOrder(await loadAll()) : rows))}
          />
          {cards && <LayoutChoice layout={layout} onChoose={onLayout} />}
          {tools}
        </div>
      </div>
      <QueryView
        query={query}
        isEmpty={({ list }) => list.length === 0}
        empty={narrowed ? <NoMatch onReset={onReset} /> : empty}
      >
        {() => {
          const foot = (
            <Foot
              count={[t('common:count-results', { count: total }), props.sums].filter(Boolean).join(' · ')}
              page={props.paging?.currentPage ?? 1}
              size={props.paging?.pageSize ?? Math.max(total, 1)}
              total={total}
              onPage={(page) => props.onPage?.(page)}
            />
          )
          if (asCards)
            return (
              <>
                {cards(rows, rows !== loaded)}
                {foot}
              </>
            )
          return (
            <Panel className={styles.panel}>
              {props.body?.(visible, writing) ?? (
                <ListTable
                  {...props}
                  columns={visible}
                  {...{ rows, writing }}
                  sort={sorts ? { by: sort, onTurn, orders } : undefined}
                />
              )}
              {foot}
            </Panel>
          )
        }}
      </QueryView>
    </>
  )
}

function NoMatch({ onReset }: { onReset: (() => void) | undefined }) {
  const { t } = useTranslation('shell')
  return (
    <Nothing
      why={t('common:empty-search')}
      action={onReset && <Button onClick={onReset}>{t('remove-filter')}</Button>}
    />
  )
}
