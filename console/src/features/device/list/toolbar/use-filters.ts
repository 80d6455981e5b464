/** The list's filters in the URL. Without any, the last search of the session comes back. */
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { type Filters, keepSearch, readFilters, storedSearch, writeFilters } from './filters'

export function useFilters(): [Filters, (filters: Filters) => void] {
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
  const change = (filters: Filters) => {
    const next = writeFilters(filters)
    keepSearch(next)
    setQuery(next)
  }
  return [readFilters(query), change]
}
