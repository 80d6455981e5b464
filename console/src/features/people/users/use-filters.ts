/** Words and levels that the user search is narrowed to; they live in the URL. */
import { useSearchParams } from 'react-router'

export interface Filters {
  readonly text: string
  readonly levels: readonly number[]
}

function readFilters(query: URLSearchParams, searchable: readonly number[]): Filters {
  const requested = (query.get('levels') ?? '').split(',').map(Number)
  return { text: query.get('text') ?? '', levels: searchable.filter((level) => requested.includes(level)) }
}

function writeFilters({ text, levels }: Filters): URLSearchParams {
  const query = new URLSearchParams()
  if (text) query.set('text', text)
  if (levels.length > 0) query.set('levels', levels.join(','))
  return query
}

export function useFilters(searchable: readonly number[]): [Filters, (filters: Filters) => void] {
  const [query, setQuery] = useSearchParams()
  return [readFilters(query, searchable), (filters) => setQuery(writeFilters(filters), { replace: true })]
}
