/**
 * What a person likes (size, theme, colour, tabs, views …): kept by the server per account, with a copy here so that the
 * page opens as it was. Keyed by the build version: what another version kept is dropped.
 */
import { create } from 'zustand'
import { call } from '../rpc/call'
import { currentSession, useSessionStore, VERSION } from '../rpc/session'

type Preferences = Readonly<Record<string, unknown>>

const SEND_AFTER_MS = 1000
const keyOf = (userId: number | undefined) => `lustra-${VERSION}-preferences-${userId ?? 'nobody'}`

const unsentOf = (userId: number | undefined) => `${keyOf(userId)}-unsent`

function read(key: string): Preferences {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Preferences
  } catch {
    return {}
  }
}

const kept = () => read(keyOf(currentSession()?.userId))

export const usePreferences = create<Preferences>(() => kept())
/** Grows each time the server has told the account's preferences. */
export const useTold = create<number>(() => 0)

let timer: ReturnType<typeof setTimeout> | undefined

function store(all: Preferences) {
  usePreferences.setState(all, true)
  localStorage.setItem(keyOf(currentSession()?.userId), JSON.stringify(all))
}

/** What the server does not know yet survives a reload: it is kept until the server has answered. */
function flush() {
  const session = currentSession()
  if (!session) return
  const key = unsentOf(session.userId)
  const text = localStorage.getItem(key)
  if (!text) return
  call('/user/preferences', { set: JSON.parse(text) as Record<string, unknown> }).then(
    () => localStorage.getItem(key) === text && localStorage.removeItem(key),
    () => undefined, // sent with the next change
  )
}

function flushLater() {
  clearTimeout(timer)
  timer = setTimeout(flush, SEND_AFTER_MS)
}

export function setPreference(key: string, value: unknown) {
  const unsent = unsentOf(currentSession()?.userId)
  store({ ...usePreferences.getState(), [key]: value })
  localStorage.setItem(unsent, JSON.stringify({ ...read(unsent), [key]: value }))
  flushLater()
}

export const usePreference = <T>(key: string, otherwise: T): T =>
  usePreferences((all) => (all[key] as T | undefined) ?? otherwise)

/** After log-in: the account's own copy, then the server's word, then what the server does not know yet. */
export async function loadPreferences(): Promise<void> {
  usePreferences.setState(kept(), true)
  const told = (await call('/user/preferences', {})) as Preferences
  store({ ...told, ...read(unsentOf(currentSession()?.userId)) })
  useTold.setState((times) => times + 1)
  flushLater()
}

useSessionStore.subscribe(({ session }, before) => {
  if (session?.userId !== before.session?.userId) usePreferences.setState(kept(), true)
})
