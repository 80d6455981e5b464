/** An answer of the worker that reads a recording; the same question is asked once. */
import { useQuery } from '@tanstack/react-query'
import type { PlayerLink } from './player-link'
import type { Kind, Questions } from './protocol'

/** `stays`: whether an answer is at hand for when it is asked for again. */
export function useReading<K extends Kind>(
  link: PlayerLink,
  id: number,
  kind: K,
  question: Questions[K] | undefined,
  { stays = true } = {},
) {
  return useQuery({
    queryKey: ['recording', id, kind, question] as const,
    queryFn: () => (question ? link.ask(kind, question) : Promise.reject(new Error(kind))),
    enabled: question !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    ...(stays ? {} : { gcTime: 0 }),
    retry: false,
    placeholderData: (before) => before,
  })
}
