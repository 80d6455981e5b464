/** One place says what went wrong: a failed write always, a failed read when old content hides it. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { translate } from '@/shared/i18n/text'
import { errorText } from '@/shared/rpc/errors/error-text'
import { Refusal } from '@/shared/rpc/refusal'
import { useSessionStore } from '@/shared/session/session'
import { notice } from '@/shared/ui/notice'

function say(error: Error, action: unknown, other: 'failed-query' | 'failed-request') {
  const text = errorText(translate, error, typeof action === 'string' ? action : undefined, other)
  if (text) notice('error', text)
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      retry: (count, error) => count < 2 && !(error instanceof Refusal),
      refetchOnWindowFocus: false,
      networkMode: 'always', // without a network a read fails and says so; it does not wait in silence
    },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (error instanceof Refusal || query.state.data !== undefined) say(error, undefined, 'failed-query')
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _sent, _context, mutation) => {
      if (!mutation.meta?.quiet) say(error, mutation.meta?.action, 'failed-request')
    },
  }),
})

/** What one account read, the next one must not see. */
useSessionStore.subscribe(({ session }) => {
  if (!session) queryClient.clear()
})
