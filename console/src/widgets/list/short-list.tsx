/** A short list within a dialog or a panel: columns that sort, and nothing that an address or an account would keep. */

import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Pack } from '@/shared/i18n/text'
import { type Query, QueryView } from '@/shared/ui/query-view'
import { type Column, type Sort, sorted, turned, useWriting } from './columns'
import { Pages } from './pages'
import { ListTable } from './table'

interface Props<R> {
  /** The pack that its headings are in. */
  texts: Pack
  label: string
  columns: readonly Column<R>[]
  query: Query<{ readonly list: readonly R[]; readonly total?: number }>
  idOf(row: R): string | number
  /** What stands there before the first row. */
  empty?: ReactNode
  actions?(row: R): ReactNode
  className?: string | undefined
  height?: number
  /** Of a list that comes page by page. */
  paging?: { readonly page: number; readonly size: number; onPage(page: number): void }
}

export function ShortList<R>({ query, empty, paging, ...table }: Props<R>) {
  const writing = useWriting(table.texts)
  const [by, setBy] = useState<Sort>()
  const column = table.columns.find(({ key }) => key === by?.key)
  return (
    <QueryView query={query} isEmpty={({ list }) => list.length === 0} empty={empty}>
      {({ list, total = list.length }) => (
        <>
          <ListTable
            {...table}
            writing={writing}
            rows={by && column ? sorted(list, column, by.descending, writing) : list}
            sort={total === list.length ? { by, onTurn: (key) => setBy(turned(by, key)) } : undefined}
          />
          {paging && <Pages {...paging} total={total} />}
        </>
      )}
    </QueryView>
  )
}
