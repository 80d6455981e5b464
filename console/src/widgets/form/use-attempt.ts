/** Work that a press starts: busy while it runs; what refuses it stands at the field that a robot names, else underneath. */
import { useState } from 'react'
import { RelayRefusal } from '@/shared/relay/relay'
import { useRefusalText } from '../refusal-text'

export function useAttempt(fields: readonly string[] = []) {
  const refusalText = useRefusalText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const text = error === undefined ? undefined : (refusalText(error) ?? '')
  const field = error instanceof RelayRefusal ? error.field.replace(/^params\./, '') : ''
  const placed = fields.includes(field)
  return {
    busy,
    reset: () => setError(undefined),
    /** What refused it, and the field that was named; undefined while nothing did. */
    refused: text ? { text, field } : undefined,
    /** Not at a field. */
    problem: placed ? undefined : text,
    problemAt: (name: string) => (placed && name === field ? text : undefined),
    /** Resolves with what the work brought, after `done` has it; undefined when it was refused. */
    run: async <T>(work: () => Promise<T>, done: (result: T) => void = () => {}): Promise<T | undefined> => {
      setBusy(true)
      setError(undefined)
      try {
        const result = await work()
        done(result)
        return result
      } catch (refusal) {
        setError(refusal)
        return undefined
      } finally {
        setBusy(false)
      }
    },
  }
}
