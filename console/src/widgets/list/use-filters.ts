/** Filters of a list as they stand in the address; a change of one begins at the first page again. */
import { useSearchParams } from 'react-router'

const PLACE = /^[1-9][0-9]{0,14}$/

export function useFilters<K extends string>(names: readonly K[]) {
  const [params, setParams] = useSearchParams()
  const filters = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<K, string>
  const address = (filters: Record<K, string>, page = '') =>
    new URLSearchParams(Object.entries<string>({ ...filters, page }).filter(([, value]) => value))
  const whole = (text: string) => (PLACE.test(text) ? Number(text) : undefined)
  return {
    filters,
    change: (part: Partial<Record<K, string>>) => setParams(address({ ...filters, ...part }), { replace: true }),
    turn: (page: number) => setParams(address(filters, page > 1 ? String(page) : '')),
    narrowed: Object.values(filters).some(Boolean),
    page: whole(params.get('page') ?? '') ?? 1,
    /** A number that somebody may have mistyped in the address. */
    whole,
  }
}
