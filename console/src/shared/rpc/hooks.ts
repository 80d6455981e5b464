/** The two hooks that screens know the server by. A changed payload cancels the request before it. */
import {
  hashKey,
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from './call'
import type { Answer, CallPath, Payload } from './contract'
import { refreshAfter, topicsOf } from './topics'

interface Reading {
  enabled?: boolean
  /** Show the last answer until the next one comes: for lists whose filter changes. */
  keep?: boolean
  /** For how long an answer is good that ages by the clock alone, ms: what changes rows the server tells (../live/stale). */
  goodMs?: number
  /** Topics that it is stale with beside those of its call. */
  also?: readonly string[]
  /** Topics of its call whose changes come over the live socket: it is not read anew for them. */
  live?: readonly string[]
  staleTime?: number
}

const query = <C extends CallPath>(path: C, payload?: Payload<C>) =>
  queryOptions({
    queryKey: [topicsOf(path)[0], path, payload] as const,
    queryFn: ({ signal }) => call(path, payload, signal),
  })

/** Read: `useCall('/device/selectDevicePc', { currentPage: 1, pageSize: 30 })`. */
export function useCall<C extends CallPath>(path: C, payload?: Payload<C>, reading: Reading = {}) {
  const { keep, goodMs, also, live, ...rest } = reading
  return useQuery({
    ...query(path, payload),
    ...rest,
    ...((also || live) && { meta: { also, live } }),
    ...(goodMs && { refetchInterval: goodMs }),
    ...(keep && { placeholderData: keepPreviousData }),
  })
}

/** What every paged answer has. */
const page = (answer: unknown) => answer as { list: readonly unknown[]; total: number }

/** What of a payload says which rows there are, and not their order. */
const rowsOf = (payload: unknown) => ({ ...(payload as object), sort: undefined, descending: undefined })

/** Read a long list page by page: `payload` without its page; `pages.data.pages` are the answers so far. */
export function usePages<C extends CallPath>(
  path: C,
  payload: Omit<Payload<C>, 'currentPage' | 'pageSize'>,
  pageSize: number,
  { enabled = true }: Pick<Reading, 'enabled'> = {},
) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      enabled,
      queryKey: [topicsOf(path)[0], path, 'pages', payload, pageSize] as const,
      initialPageParam: 1,
      // The same rows in pages of another size or in another order: those before stay until they are here.
      placeholderData: (previous: InfiniteData<Answer<C>, number> | undefined, last?: { queryKey: QueryKey }) =>
        last && hashKey([rowsOf(last.queryKey[3])]) === hashKey([rowsOf(payload)]) ? previous : undefined,
      queryFn: ({ pageParam, signal }) =>
        call(path, { ...payload, currentPage: pageParam, pageSize } as unknown as Payload<C>, signal),
      getNextPageParam: (last: Answer<C>, all) => {
        const seen = all.reduce((sum, answer) => sum + page(answer).list.length, 0)
        return page(last).list.length > 0 && seen < page(last).total ? all.length + 1 : undefined
      },
    }),
  )
}

/** Write: `useSend('/map/deleteMapById', { action: t('delete') })`; refreshes what the call says it changes. `action` names the action if nothing answers. */
export function useSend<C extends CallPath>(path: C, { action, quiet }: { action?: string; quiet?: boolean } = {}) {
  const queries = useQueryClient()
  return useMutation<Answer<C>, Error, Payload<C>>({
    mutationFn: (payload) => call(path, payload),
    onSuccess: () => refreshAfter(queries, path),
    meta: { action, quiet },
  })
}
