/** A write whose refusal is shown where it was asked for: at the field that the server names, else underneath. */

import { CODE } from '@/shared/rpc/codes'
import type { Answer, CallPath, Payload } from '@/shared/rpc/contract'
import { useErrorText } from '@/shared/rpc/error-text'
import { useSend } from '@/shared/rpc/hooks'
import { Refusal } from '@/shared/rpc/refusal'

const lateOf = (error: Error | null): readonly string[] =>
  error instanceof Refusal && error.code === CODE.CONFLICT
    ? ((error.data as { fields?: string[] } | null)?.fields ?? [])
    : []

export function useAction<C extends CallPath>(path: C, label: string, fields: readonly string[] = []) {
  const send = useSend(path, { quiet: true })
  const errorText = useErrorText()
  const error = send.error
  const named = error instanceof Refusal ? error.field : ''
  const message = error ? errorText(error, label) : undefined
  const text = named && message ? message.replace(named, '').replace(/^\s*[:：]\s*/, '') : message // the place says which field it is
  const field = fields.includes(named) ? named : ''
  return {
    busy: send.isPending,
    reset: send.reset,
    /** Calls `done` with the answer; a refusal stays here to be shown. */
    run: (payload: Payload<C>, done: (answer: Answer<C>) => void) => send.mutate(payload, { onSuccess: done }),
    /** The same, for those who wait for its end. */
    tell: (payload: Payload<C>, done: (answer: Answer<C>) => void) =>
      send.mutateAsync(payload).then(done, () => undefined),
    /** Fields that somebody else has changed since they were read; empty unless that is why it was refused. */
    late: lateOf(error),
    /** Not at a field. */
    problem: field ? undefined : text,
    problemAt: (name: string) => (name === field ? text : undefined),
  }
}
