/** The one door to the main server: typed by path, envelope unwrapped, everything else thrown. */

import { BASE, parseJson, toJson } from '../base'
import { currentSession, end } from '../session/session'
import type { CODE } from './codes'
import type { Answer, CallPath, GetPath, Payload } from './contract'
import { LoggedOut, Refusal, Unreached } from './refusal'
import { signature } from './signature'

const SUCCESS: ReadonlySet<number> = new Set([0, 20007, 20004])
// Checked against the table by their types: the table itself would be loaded with every page.
const SESSION_INVALID: typeof CODE.SESSION_INVALID = 10003
const LOGIN_BUSY: typeof CODE.LOGIN_BUSY = 50004
const TOO_MANY_CALLS: typeof CODE.TOO_MANY_CALLS = 50005
const BUSY: ReadonlySet<number> = new Set([LOGIN_BUSY, TOO_MANY_CALLS])
const COME_AGAIN: ReadonlySet<number> = new Set([429, 503])

/** The language that server texts come in; set by i18n. */
let language = 'zh-CN'
export const speak = (tag: string) => {
  language = tag
}

export async function headers(): Promise<Record<string, string>> {
  const session = currentSession()
  const signed = await signature()
  return {
    ...(session && { token: session.token }),
    ...(signed && { signature: signed }),
    username: session ? encodeURIComponent(session.account) : '-',
    platform: 'web_cloud',
    'Accept-Language': language,
  }
}

/** `data` is what the contract says where the code is a success. */
interface Envelope<T = unknown> {
  message: { code: number; message: string }
  data: T
}

/** The data of an envelope; logs out on 10003, throws a Refusal on every other code that is no success. */
export function unwrap<T>({ message, data }: Envelope<T>): T {
  if (SUCCESS.has(message.code)) return data
  if (message.code === SESSION_INVALID) {
    end(message.message)
    throw new LoggedOut(message.message)
  }
  throw new Refusal(message.code, message.message, fieldOf(data), data)
}

/** A refusal's data name the input that it is about. */
function fieldOf(data: unknown): string {
  const named = typeof data === 'object' && data !== null && 'field' in data ? data.field : ''
  return typeof named === 'string' ? named : ''
}

/** HTTP statuses are for transport only. 401 is a session that ended, as 10003. */
export function refuseStatus(status: number, url: string): never {
  if (status === 401 && currentSession()) {
    end('')
    throw new LoggedOut()
  }
  throw new Unreached(status, url)
}

/** So many calls came that this one found no place: the server says when to come again. */
async function refuseBusy(response: Response): Promise<void> {
  const envelope: Envelope | undefined = await response.json().catch(() => undefined)
  const { code, message } = envelope?.message ?? { code: 0, message: '' }
  if (BUSY.has(code)) throw new Refusal(code, message)
}

async function send(path: string, init: RequestInit) {
  const url = `${BASE}/api${path}`
  const response = await fetch(url, { ...init, headers: { ...(await headers()), ...init.headers } }).catch(
    (error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error
      throw new Unreached(0, url)
    },
  )
  if (COME_AGAIN.has(response.status)) await refuseBusy(response)
  if (!response.ok) refuseStatus(response.status, url)
  return response
}

const post = (path: string, payload: object | undefined, signal: AbortSignal | undefined) =>
  send(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: toJson(payload ?? {}),
    signal: signal ?? null,
  })

export async function call<C extends CallPath>(
  path: C,
  payload?: Payload<C>,
  signal?: AbortSignal,
): Promise<Answer<C>> {
  const response = await post(path, payload, signal)
  const envelope: Envelope<Answer<C>> = parseJson(await response.text())
  return unwrap(envelope)
}

/** A raw answer: a picture, an archive, a spreadsheet. A refusal still comes as JSON. */
export async function raw<C extends CallPath>(path: C, payload?: Payload<C>, signal?: AbortSignal): Promise<Blob> {
  return blobOf(await post(path, payload, signal))
}

/** The one call that the specification has as a form, which carries the token in a field of its own. */
export async function rawForm(path: '/tencent/ttsUrl', payload: Payload<'/tencent/ttsUrl'>): Promise<Blob> {
  const form = new URLSearchParams({ ...payload, token: currentSession()?.token ?? '' })
  return blobOf(await send(path, { method: 'POST', body: form }))
}

async function blobOf(response: Response): Promise<Blob> {
  if (response.headers.get('Content-Type')?.startsWith('application/json')) unwrap(parseJson(await response.text()))
  return response.blob()
}

/** A call that the specification has as GET: what its path has no place for is the query. */
export async function get(path: GetPath, payload: Readonly<Record<string, string>>): Promise<unknown> {
  const query = new URLSearchParams(payload)
  const whole = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    query.delete(name)
    return encodeURIComponent(payload[name] ?? '')
  })
  const response = await send(`${whole}?${query}`, {})
  return unwrap<unknown>(parseJson(await response.text()))
}
