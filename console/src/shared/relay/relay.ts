/**
 * Commands to one robot, past the main server: `POST {relay}/?m=api1/task_list&p=20017` with a grant of 60 s. Grants are
 * kept per robot and renewed before they end; one that the relay no longer takes is renewed once, and one whose relay is
 * away is forgotten.
 */
import { live } from '../live/live'
import { call } from '../rpc/call'
import type { Answer } from '../rpc/contract'
import { COMMANDS } from './commands'
import type { Command, CommandAnswer, CommandPayload, Robot } from './contract'

type Grant = Answer<'/device/relayGrant'>
type Refusal = Robot['schemas']['Refusal']

/** A relay or robot says no. `reason` is a key of locales/<lang>/robot.json. */
export class RelayRefusal extends Error {
  override readonly name = 'RelayRefusal'
  constructor(
    readonly code: number,
    message: string,
    readonly reason: string,
    readonly field: string,
    /** The robot's clock in ms, where the time is why. */
    readonly at?: number,
  ) {
    super(message)
  }
}

const NO_GRANT = 401
const SPARE_MS = 5000
/** Robots from this protocol on have version 3 of the API. */
export const API1_SINCE = 3
const grants = new Map<number, Promise<Grant>>()

/** After taking or releasing control: the next command asks for a grant with the new number. */
export const forgetGrant = (deviceId: number) => void grants.delete(deviceId)

async function grantFor(deviceId: number): Promise<Grant> {
  const known = await grants.get(deviceId)
  if (known && known.expiresAt - SPARE_MS > Date.now()) return known
  const grant = call('/device/relayGrant', { deviceId })
  grants.set(deviceId, grant)
  grant.catch(() => forgetGrant(deviceId))
  return grant
}

/** The whole `m` of a command for a robot of that protocol version. */
export const route = (command: Command, protocol: number) =>
  `${COMMANDS[command].prefix ?? (protocol >= API1_SINCE ? 'api1' : 'api')}/${command}`

async function send<C extends Command>(
  grant: Grant,
  command: C,
  payload: CommandPayload<C> | undefined,
  signal?: AbortSignal,
): Promise<CommandAnswer<C> | Refusal> {
  const form = payload instanceof FormData
  const response = await fetch(`${grant.url}/?m=${route(command, grant.protocol)}&p=${grant.port}`, {
    method: 'POST',
    headers: { grant: grant.grant, ...(!form && { 'Content-Type': 'application/json' }) },
    body: form ? payload : JSON.stringify(payload ?? {}),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new RelayRefusal(0, '', live.connection().state === 'lost' ? 'own_network' : 'relay_unreachable', '')
  })
  // A proxy answers in the relay's place.
  if (!response.ok) throw new RelayRefusal(0, '', 'relay_unreachable', '')
  return response.json()
}

const refused = (answer: { code: number }): answer is Refusal => answer.code !== 0

/** Sends one command and returns the robot's answer; throws RelayRefusal when it refuses. */
export async function relayCall<C extends Command>(
  deviceId: number,
  command: C,
  payload?: CommandPayload<C>,
  signal?: AbortSignal,
): Promise<CommandAnswer<C>> {
  let answer = await send(await grantFor(deviceId), command, payload, signal).catch((error: unknown) => {
    // The robot may have gone to another relay: the next command asks where it is.
    if (error instanceof RelayRefusal) forgetGrant(deviceId)
    throw error
  })
  if (answer.code === NO_GRANT) {
    forgetGrant(deviceId)
    answer = await send(await grantFor(deviceId), command, payload, signal)
  }
  if (refused(answer))
    throw new RelayRefusal(answer.code, answer.msg, answer.reason ?? '', answer.field ?? '', answer.at)
  return answer
}
