/** The list's filters and its view in the URL. Without any, the last search of the session comes back. */
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { SORTED_MOST } from '@/widgets/list/filters'
import { FILTERS, type Filters, keepSearch, PAGE, storedSearch, type View } from './filters'

const VIEW = 'view'
const TABLE = 'table'

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
  const view: View = query.get(VIEW) === TABLE ? TABLE : 'cards'
  const sorted = view === TABLE && query.has('sort')
  return {
    values,
    payload: { ...FILTERS.payload(values), isPc: '1' },
    narrowed: FILTERS.narrowed(values),
    view,
    sorted,
    /** A table that is sorted is asked for whole. */
    pageSize: sorted ? SORTED_MOST : PAGE,
    change: (part: Partial<Filters>) => go(FILTERS.write({ ...values, ...part }, query)),
    reset: () => go(FILTERS.write(FILTERS.none, query)),
    turn: (to: View) => {
      const next = new URLSearchParams(query)
      if (to === TABLE) next.set(VIEW, to)
      else next.delete(VIEW)
      go(next)
    },
  }
}
