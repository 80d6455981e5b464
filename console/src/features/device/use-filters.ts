/** The list's filters in the URL. Without any, the last search of the session comes back. */
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { type Filters, keepSearch, keptSearch, readFilters, writeFilters } from './filters'

export function useFilters(): [Filters, (filters: Filters) => void] {
  const [query, setQuery] = useSearchParams()
  const asked = query.toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    const kept = keptSearch()
    if (asked === '' && kept.size > 0) setQuery(kept, { replace: true })
  }, [])
  const change = (filters: Filters) => {
    const next = writeFilters(filters)
    keepSearch(next)
    setQuery(next)
  }
  return [readFilters(query), change]
}
