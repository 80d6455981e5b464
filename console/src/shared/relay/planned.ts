/** Answers that a robot still works out: it is asked again when its own state says that it plans nothing more. */
import { live } from '../live/live'
import type { Command, CommandAnswer, CommandPayload } from './contract'
import { relayCall } from './relay'

/** Resolves with the robot's next state in which it plans nothing, or when it is gone. */
function settled(deviceId: number, signal: AbortSignal): Promise<void> {
  const since = live.robot(deviceId)?.row.at ?? 0
  return new Promise((resolve, reject) => {
    const look = () => {
      const row = live.robot(deviceId)?.row
      if (row && (row.mode === 'offline' || (row.at > since && row.planning === 0))) done(resolve)
    }
    const give = () => done(() => reject(signal.reason))
    const stop = live.listenTo([deviceId], look)
    const done = (end: () => void) => {
      stop()
      signal.removeEventListener('abort', give)
      end()
    }
    signal.addEventListener('abort', give)
  })
}

/** The whole answer of a command whose answer may come without what is still planned. */
export async function plannedCall<C extends Command>(
  deviceId: number,
  command: C,
  payload: CommandPayload<C>,
  signal: AbortSignal,
): Promise<CommandAnswer<C>> {
  let answer = await relayCall(deviceId, command, payload, signal)
  while ('planning' in answer && answer.planning) {
    await settled(deviceId, signal)
    answer = await relayCall(deviceId, command, payload, signal)
  }
  return answer
}
