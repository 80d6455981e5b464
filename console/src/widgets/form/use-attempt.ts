/**
 * The one hook for work that a press starts, at the server or at a robot: busy while it runs; what refuses it stands at the field
 * that is named, else underneath.
 */
import { useEffect, useRef, useState } from 'react'
import { RelayRefusal } from '@/shared/relay/relay'
import { CODE } from '@/shared/rpc/codes'
import { Refusal } from '@/shared/rpc/refusal'
import { useRefusalText } from '../refusal-text'

const fieldOf = (error: unknown) =>
  error instanceof RelayRefusal ? error.field.replace(/^params\./, '') : error instanceof Refusal ? error.field : ''

const lateOf = (error: unknown): readonly string[] =>
  error instanceof Refusal && error.code === CODE.CONFLICT
    ? ((error.data as { fields?: string[] } | null)?.fields ?? [])
    : []

/** The server's texts on input begin with the name of the field that they are about: its place says so already. */
const withoutName = (text: string, error: unknown, field: string) =>
  error instanceof Refusal && field && error.code === CODE.BAD_INPUT ? text.replace(/^[^:：]*[:：]\s*/, '') : text

/** `fields`: those that are shown, by name; `label`: names the work where nothing answered. */
export function useAttempt(fields: readonly string[] = [], label?: string) {
  const refusalText = useRefusalText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const mounted = useRef(false)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  const field = fieldOf(error)
  const text = error === undefined ? undefined : withoutName(refusalText(error, label) ?? '', error, field)
  const placed = fields.includes(field)
  return {
    busy,
    reset: () => setError(undefined),
    /** What refused it, and the field that was named; undefined while nothing did. */
    refused: text ? { text, field } : undefined,
    /** Fields that somebody else has changed since they were read; empty unless that is why it was refused. */
    late: lateOf(error),
    /** Not at a field. */
    problem: placed || !text ? undefined : text,
    problemAt: (name: string) => (placed && name === field ? text : undefined),
    /**
     * Resolves with what the work brought, undefined when it was refused. `done` has the result if who asked is still shown;
     * `onRefused` says the refusal elsewhere than here.
     */
    run: async <T>(
      work: () => Promise<T>,
      done: (result: T) => void = () => {},
      onRefused?: (text: string) => void,
    ): Promise<T | undefined> => {
      setBusy(true)
      setError(undefined)
      try {
        const result = await work()
        if (mounted.current) done(result)
        return result
      } catch (refusal) {
        if (!onRefused) setError(refusal)
        else onRefused(refusalText(refusal) ?? '')
        return undefined
      } finally {
        setBusy(false)
      }
    },
  }
}
