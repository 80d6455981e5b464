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

function kept(): Preferences {
  try {
    return JSON.parse(localStorage.getItem(keyOf(currentSession()?.userId)) ?? '{}') as Preferences
  } catch {
    return {}
  }
}

export const usePreferences = create<Preferences>(() => kept())

let unsent: Record<string, unknown> = {}
let timer: ReturnType<typeof setTimeout> | undefined

function store(all: Preferences) {
  usePreferences.setState(all, true)
  localStorage.setItem(keyOf(currentSession()?.userId), JSON.stringify(all))
}

function flush() {
  const set = unsent
  unsent = {}
  if (currentSession()) call('/user/preferences', { set }).catch(() => Object.assign(unsent, set, unsent)) // sent with the next change
}

export function setPreference(key: string, value: unknown) {
  store({ ...usePreferences.getState(), [key]: value })
  unsent[key] = value
  clearTimeout(timer)
  timer = setTimeout(flush, SEND_AFTER_MS)
}

export const usePreference = <T>(key: string, otherwise: T): T =>
  usePreferences((all) => (all[key] as T | undefined) ?? otherwise)

/** After log-in: the account's own copy, then the server's word. */
export async function loadPreferences(): Promise<void> {
  usePreferences.setState(kept(), true)
  const told = await call('/user/preferences', {})
  store({ ...(told as Preferences), ...unsent })
}

useSessionStore.subscribe(({ session }, before) => {
  if (session?.userId !== before.session?.userId) usePreferences.setState(kept(), true)
})
