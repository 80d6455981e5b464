/**
 * A list that comes page by page, with its filters in the address: what `ListView` needs of it in one piece, and the
 * values and the change of its filters for the search above it.
 */
import type { Payload } from '@/shared/rpc/contract'
import { loadEveryRow, type PagedPath, type PagedRow } from '@/shared/rpc/every-row'
import { useCall } from '@/shared/rpc/hooks'
import type { Query } from '@/shared/ui/query-view'
import { sortPayload, useSort } from './columns'
import { type FilterSet, type Filters, useFilters, type Values } from './filters'

type Fitting<S extends Filters, C extends PagedPath> = FilterSet<S> & {
  payload(values: Values<S>): Partial<Payload<C>>
}

interface Options<C extends PagedPath> {
  /** Rows of a page. */
  readonly size?: number
  /** What the call is asked for beside the filters. */
  readonly also?: Partial<Payload<C>>
  /** How old an answer may be, ms. */
  readonly staleTime?: number
  /** Columns that the call sorts by; without it the list is sorted here, once all of it has come. */
  readonly orders?: readonly SortOf<C>[]
}

/** What the call can sort by. */
type SortOf<C extends PagedPath> = Payload<C> extends { sort?: infer S } ? NonNullable<S> & string : never

export function usePagedList<C extends PagedPath, S extends Filters>(
  path: C,
  set: Fitting<S, C>,
  { size, also, orders, ...reading }: Options<C> = {},
) {
  const { values, paging, narrowed, change, reset, turn, payload: filtered } = useFilters<S>(set, size, !orders)
  const [sort] = useSort()
  const payload = { ...filtered, ...also, ...sortPayload(sort, orders ?? []) }
  const query = useCall(path, { ...payload, ...paging } as unknown as Payload<C>, { keep: true, ...reading })
  // The answer of such a path is a page of its rows: `PagedPath` has chosen it by that.
  const rows = query as unknown as Query<{ list: readonly PagedRow<C>[]; total: number }> & {
    refetch(): Promise<unknown>
  }
  return {
    values,
    change,
    payload,
    query: rows,
    list: {
      query: rows,
      orders,
      narrowed,
      paging,
      onReset: reset,
      onPage: turn,
      loadAll: () => loadEveryRow(path, payload),
    },
  }
}
