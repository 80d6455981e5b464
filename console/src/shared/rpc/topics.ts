/** Topics: what an answer is stale with. Declared beside the server's calls, so nothing here can drift from them. */
import type { Query, QueryClient } from '@tanstack/react-query'
import { CHANGES, READS } from './changes'

type Key = Pick<Query, 'queryKey' | 'meta'>

/** Of a call: the first word of its path, where the server does not say otherwise. */
export const topicsOf = (path: string): readonly string[] => READS[path] ?? [path.split('/')[1] ?? path]

/**
 * Of a query: its call's, or the first word of a key of its own; with those that it names beside them (`also`), without
 * those whose changes reach it over the live socket (`live`).
 */
export function topicsOfQuery({ queryKey: [first, path], meta }: Key): readonly string[] {
  const own = typeof path === 'string' && path.startsWith('/') ? topicsOf(path) : [String(first)]
  const { also = [], live = [] } = (meta ?? {}) as Record<'also' | 'live', readonly string[] | undefined>
  return [...own, ...also].filter((topic) => !live.includes(topic))
}

/** Reads anew what the call at this path changed. */
export function refreshAfter(queries: QueryClient, path: string) {
  const changed = new Set(CHANGES[path] ?? topicsOf(path))
  return queries.invalidateQueries({ predicate: (query) => topicsOfQuery(query).some((topic) => changed.has(topic)) })
}
