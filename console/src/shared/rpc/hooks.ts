/** The two hooks that screens know the server by. A changed payload cancels the request before it. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from './call'
import { CHANGES } from './changes'
import type { Answer, CallPath, Payload } from './contract'

/** Families of their own, though their paths begin with /user. */
const OWN: Readonly<Record<string, string>> = { role: 'role', sessions: 'session', apiKey: 'apiKey' }

/** What goes stale together: the path's first word. */
const family = (path: string) => {
  const [, first = path, second = ''] = path.split('/')
  return (first === 'user' && OWN[second]) || first
}

interface Reading {
  enabled?: boolean
  /** Show the last answer until the next one comes: for lists whose filter changes. */
  keep?: boolean
  refetchInterval?: number
  staleTime?: number
}

const reading = <C extends CallPath>(path: C, payload?: Payload<C>) =>
  queryOptions({
    queryKey: [family(path), path, payload] as const,
    queryFn: ({ signal }) => call(path, payload, signal),
  })

/** Read: `useCall('/device/selectDevicePc', { currentPage: 1, pageSize: 30 })`. */
export function useCall<C extends CallPath>(path: C, payload?: Payload<C>, { keep, ...rest }: Reading = {}) {
  return useQuery({ ...reading(path, payload), ...rest, ...(keep && { placeholderData: keepPreviousData }) })
}

/** What every paged answer has. */
const page = (answer: unknown) => answer as { list: readonly unknown[]; total: number }

/** Read a long list page by page: `payload` without its page; `pages.data.pages` are the answers so far. */
export function usePages<C extends CallPath>(
  path: C,
  payload: Omit<Payload<C>, 'currentPage' | 'pageSize'>,
  pageSize: number,
) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: [family(path), path, 'pages', payload, pageSize] as const,
      initialPageParam: 1,
      queryFn: ({ pageParam, signal }) =>
        call(path, { ...payload, currentPage: pageParam, pageSize } as unknown as Payload<C>, signal),
      getNextPageParam: (last: Answer<C>, all) => {
        const seen = all.reduce((sum, answer) => sum + page(answer).list.length, 0)
        return page(last).list.length > 0 && seen < page(last).total ? all.length + 1 : undefined
      },
    }),
  )
}

export const refreshAfter = (queries: QueryClient, path: string) =>
  Promise.all((CHANGES[path] ?? [family(path)]).map((stale) => queries.invalidateQueries({ queryKey: [stale] })))

/** Write: `useSend('/map/deleteMapById', { action: t('delete') })`; refreshes what the call says it changes. `action` names the action if nothing answers. */
export function useSend<C extends CallPath>(path: C, { action, quiet }: { action?: string; quiet?: boolean } = {}) {
  const queries = useQueryClient()
  return useMutation<Answer<C>, Error, Payload<C>>({
    mutationFn: (payload) => call(path, payload),
    onSuccess: () => refreshAfter(queries, path),
    meta: { action, quiet },
  })
}
