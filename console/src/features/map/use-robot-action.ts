/** Something that a dialog has the robot do: what robot, relay or server refuse stays in the dialog. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefusalText } from '@/widgets/refusal-text'

export function useRobotAction() {
  const why = useRefusalText()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  return {
    busy,
    problem,
    reset: () => setProblem(undefined),
    run: async (work: () => Promise<unknown>, done: () => void) => {
      setBusy(true)
      setProblem(undefined)
      try {
        await work()
        await queries.invalidateQueries({ queryKey: ['map'] })
        done()
      } catch (error) {
        setProblem(why(error) ?? '')
      } finally {
        setBusy(false)
      }
    },
  }
}
