/**
 * The life of a command: sent, accepted by the robot, confirmed by what the robot then does (its live row, never a
 * guess of ours), or refused, or accepted and not seen in time. The newest few of each robot are kept for its page.
 */
import { create } from 'zustand'
import type { LiveRow } from '../live/frames'
import { live } from '../live/live'
import { Unreached } from '../rpc/refusal'
import type { Command, CommandAnswer, CommandPayload } from './contract'
import { RelayRefusal, relayCall } from './relay'

export interface Sent {
  readonly id: number
  readonly label: string
  readonly at: number
  readonly stage: 'sent' | 'retrying' | 'accepted' | 'confirmed' | 'refused' | 'unseen'
  /** ms from sending to the stage. */
  readonly ms: number
  readonly refusal?: RelayRefusal
}

export interface Order<C extends Command> {
  readonly command: C
  readonly payload?: CommandPayload<C>
  /** What the page calls it. */
  readonly label: string
  /** True as soon as the robot's live row shows the effect; without it the answer alone confirms. */
  readonly confirms?: (row: LiveRow) => boolean
  /** Called at the first failure of the way to the robot; the order is sent again for 15 s then. For a stop, which twice is as well as once. */
  readonly onRetry?: (why: RelayRefusal) => void
}

/** An order by any command with the payload of that one, before a page has named it. */
export type Step = { [C in Command]: Omit<Order<C>, 'label'> }[Command]

const LIMIT = 20
const PATIENCE_MS = 15_000
const RETRY_MS = 500
/** No answer of the server or of a relay, no robot behind it, none in time. */
const wayFailed = (error: unknown) =>
  error instanceof Unreached || (error instanceof RelayRefusal && [0, 502, 504].includes(error.code))
const NONE: readonly Sent[] = []
let count = 0

const useOrders = create<Record<number, readonly Sent[]>>(() => ({}))

/** The newest commands to a robot from this tab, newest first. */
export const useCommands = (deviceId: number) => useOrders((all) => all[deviceId] ?? NONE)

function note(deviceId: number, sent: Sent) {
  useOrders.setState((all) => {
    const others = (all[deviceId] ?? NONE).filter((s) => s.id !== sent.id)
    return { [deviceId]: [sent, ...others].sort((a, b) => b.id - a.id).slice(0, LIMIT) }
  })
}

/** Resolves when the robot's row shows the effect; false when it did not in time. */
function seen(deviceId: number, since: number, confirms: (row: LiveRow) => boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      const now = live.robot(deviceId)
      if (now && now.receivedAt >= since && confirms(now.row)) done(true)
    }
    const stop = live.listenTo([deviceId], look)
    const timer = setTimeout(() => done(false), PATIENCE_MS)
    const done = (result: boolean) => {
      stop()
      clearTimeout(timer)
      resolve(result)
    }
  })
}

/** Sends an order and follows it. Resolves with the robot's answer when accepted; rejects when refused. */
export async function command<C extends Command>(
  deviceId: number,
  { command: name, payload, label, confirms, onRetry }: Order<C>,
): Promise<CommandAnswer<C>> {
  const at = Date.now()
  count += 1
  const base = { id: count, label, at }
  note(deviceId, { ...base, stage: 'sent', ms: 0 })
  /** Nothing newer was sent to this robot from here: a release ends what its stop still tries. */
  const newest = () => useOrders.getState()[deviceId]?.[0]?.id === base.id
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await relayCall(deviceId, name, payload)
      note(deviceId, { ...base, stage: confirms ? 'accepted' : 'confirmed', ms: Date.now() - at })
      if (confirms)
        void seen(deviceId, at, confirms).then((yes) =>
          note(deviceId, { ...base, stage: yes ? 'confirmed' : 'unseen', ms: Date.now() - at }),
        )
      return answer
    } catch (error) {
      const refusal =
        error instanceof RelayRefusal ? error : new RelayRefusal(0, String(error), 'relay_unreachable', '')
      const ms = Date.now() - at
      if (!onRetry || ms > PATIENCE_MS || !wayFailed(error) || !newest()) {
        note(deviceId, { ...base, stage: 'refused', ms, refusal })
        throw error
      }
      note(deviceId, { ...base, stage: 'retrying', ms, refusal })
      if (tries === 1) onRetry(refusal)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
