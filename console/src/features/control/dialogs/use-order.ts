/** An order out of a dialog: what the robot refuses is said at the field that it names, else underneath. */
import type { Command } from '@/shared/relay/contract'
import { command, type Order } from '@/shared/relay/life'
import { useAttempt } from '@/widgets/form/use-attempt'
import { useScope } from '../scope'

export function useOrder(fields: readonly string[] = []) {
  const { deviceId } = useScope()
  const { busy, problem, problemAt, run } = useAttempt(fields)
  return { busy, problem, problemAt, send: <C extends Command>(order: Order<C>) => run(() => command(deviceId, order)) }
}
