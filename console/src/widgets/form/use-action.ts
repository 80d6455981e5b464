/** A call that a press sends: `useAttempt` for it, and what it changes is read anew. */
import type { Answer, CallPath, Payload } from '@/shared/rpc/contract'
import { useSend } from '@/shared/rpc/hooks'
import { useAttempt } from './use-attempt'

export function useAction<C extends CallPath>(path: C, label: string, fields: readonly string[] = []) {
  const { mutateAsync } = useSend(path, { quiet: true })
  const attempt = useAttempt(fields, label)
  return {
    ...attempt,
    run: (payload: Payload<C>, done: (answer: Answer<C>) => void) => attempt.run(() => mutateAsync(payload), done),
  }
}
