/** The list's filters and its view in the URL. Without any, the last search of the session comes back. */
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { sortOf, sortPayload } from '@/widgets/list/columns'
import { type Layout, layoutOf, withLayout } from '@/widgets/list/tools/layout-choice'
import { FILTERS, type Filters, keepSearch, ORDERS, storedSearch } from './filters'

export function useFilters() {
  const [query, setQuery] = useSearchParams()
  const search = query.toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    const stored = storedSearch()
    if (search === '' && stored.size > 0) setQuery(stored, { replace: true })
  }, [])
  useEffect(() => {
    if (search !== '') keepSearch(new URLSearchParams(search))
  }, [search])
  const go = (next: URLSearchParams) => {
    keepSearch(next)
    setQuery(next)
  }
  const values = FILTERS.read(query)
  const layout = layoutOf(query)
  const order = layout === 'table' ? sortPayload(sortOf(query), ORDERS) : {}
  return {
    values,
    payload: { ...FILTERS.payload(values), ...order, isPc: '1' },
    narrowed: FILTERS.narrowed(values),
    layout,
    sorted: 'sort' in order,
    change: (part: Partial<Filters>) => go(FILTERS.write({ ...values, ...part }, query)),
    reset: () => go(FILTERS.write(FILTERS.none, query)),
    changeLayout: (to: Layout) => go(withLayout(to, query)),
  }
}
