/** What a dialog has the robot do; its refusal stays in the dialog, its effect is read anew into the lists of maps. */
import { useQueryClient } from '@tanstack/react-query'
import { useAttempt } from '@/widgets/form/use-attempt'

export function useRobotAction() {
  const attempt = useAttempt()
  const queries = useQueryClient()
  return {
    ...attempt,
    run: (work: () => Promise<unknown>, done: () => void) =>
      attempt.run(async () => {
        await work()
        await queries.invalidateQueries({ queryKey: ['map'] })
      }, done),
  }
}
