/**
 * Commands to one robot, past the main server: `POST {relay}/?m=api1/task_list&p=20017` with a grant of 60 s. Grants are
 * kept per robot and renewed before they end; one that the relay no longer takes is renewed once.
 */
import { call } from '../rpc/call'
import { COMMANDS } from './commands'

export type Command = keyof typeof COMMANDS

interface Grant {
  readonly url: string
  readonly port: number
  readonly protocol: number
  readonly grant: string
  readonly expiresAt: number
  /** The control lock's number that the grant carries; 0 without control. */
  readonly number: number
}

/** The flat answer of relays and robots: 0 alone is success. */
export interface Flat {
  readonly code: number
  readonly msg: string
  readonly [more: string]: unknown
}

/** A relay or robot says no. `reason` is a key of locales/<lang>/robot.json. */
export class RelayRefusal extends Error {
  override readonly name = 'RelayRefusal'
  constructor(
    readonly code: number,
    message: string,
    readonly reason: string,
    readonly field: string,
    /** The robot's clock in ms, where the time is why. */
    readonly at?: unknown,
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
  const grant = call('/device/relayGrant', { deviceId }) as Promise<Grant>
  grants.set(deviceId, grant)
  grant.catch(() => forgetGrant(deviceId))
  return grant
}

/** The whole `m` of a command for a robot of that protocol version. */
export const route = (command: Command, protocol: number) =>
  `${COMMANDS[command].prefix ?? (protocol >= API1_SINCE ? 'api1' : 'api')}/${command}`

async function send(grant: Grant, command: Command, payload: object | FormData, signal?: AbortSignal): Promise<Flat> {
  const form = payload instanceof FormData
  const response = await fetch(`${grant.url}/?m=${route(command, grant.protocol)}&p=${grant.port}`, {
    method: 'POST',
    headers: { grant: grant.grant, ...(!form && { 'Content-Type': 'application/json' }) },
    body: form ? payload : JSON.stringify(payload),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new RelayRefusal(0, '', 'relay_unreachable', '')
  })
  return (await response.json()) as Flat
}

/** Sends one command and returns the robot's flat answer; throws RelayRefusal when it is not 0. */
export async function relayCall(
  deviceId: number,
  command: Command,
  payload: object | FormData = {},
  signal?: AbortSignal,
): Promise<Flat> {
  let answer = await send(await grantFor(deviceId), command, payload, signal)
  if (answer.code === NO_GRANT) {
    forgetGrant(deviceId)
    answer = await send(await grantFor(deviceId), command, payload, signal)
  }
  if (answer.code !== 0)
    throw new RelayRefusal(answer.code, answer.msg, String(answer.reason ?? ''), String(answer.field ?? ''), answer.at)
  return answer
}
