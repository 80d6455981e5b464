/** Work that a press starts: busy while it runs, and what refuses it is said where it was pressed. */
import { useState } from 'react'
import { useRefusalText } from '../refusal-text'

export function useAttempt() {
  const refusalText = useRefusalText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  return {
    busy,
    problem,
    reset: () => setProblem(undefined),
    /** Calls `done` when the work went well. */
    run: async (work: () => Promise<unknown>, done = () => {}) => {
      setBusy(true)
      setProblem(undefined)
      try {
        await work()
        done()
      } catch (error) {
        setProblem(refusalText(error) ?? '')
      } finally {
        setBusy(false)
      }
    },
  }
}
