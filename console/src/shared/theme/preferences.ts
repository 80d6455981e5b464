/**
 * What a person likes (size, theme, colour, views …): kept by the server per account, with a copy here so that the
 * page opens as it was. Keyed by the build version: what another version kept is dropped.
 */
import { create } from 'zustand'
import { call } from '../rpc/call'
import { currentSession, useSessionStore, VERSION } from '../session/session'

type Preferences = Readonly<Record<string, unknown>>

const SEND_AFTER_MS = 1000
const keyOf = (userId: number | undefined) => `lustra-${VERSION}-preferences-${userId ?? 'nobody'}`
/** What the server is known to hold: what differs from it is sent, across reloads too. */
const baseKeyOf = (userId: number | undefined) => `${keyOf(userId)}-told`

function read(key: string): Preferences {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}')
  } catch {
    return {}
  }
}

const write = (key: string, all: Preferences) => localStorage.setItem(key, JSON.stringify(all))
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const readStored = () => read(keyOf(currentSession()?.userId))

export const usePreferences = create<Preferences>(() => readStored())
let timer: ReturnType<typeof setTimeout> | undefined

function store(all: Preferences) {
  usePreferences.setState(all, true)
  write(keyOf(currentSession()?.userId), all)
}

const changes = (all: Preferences, base: Preferences): Preferences =>
  Object.fromEntries(Object.entries(all).filter(([key, value]) => !same(value, base[key])))

function flush() {
  const session = currentSession()
  if (!session) return
  const key = baseKeyOf(session.userId)
  const set = changes(usePreferences.getState(), read(key))
  if (Object.keys(set).length === 0) return
  call('/user/preferences', { set }).then(
    () => write(key, { ...read(key), ...set }),
    () => undefined, // sent with the next change
  )
}

function flushLater() {
  clearTimeout(timer)
  timer = setTimeout(flush, SEND_AFTER_MS)
}

export function setPreference(key: string, value: unknown) {
  store({ ...usePreferences.getState(), [key]: value })
  flushLater()
}

export const usePreference = <T>(key: string, otherwise: T): T =>
  usePreferences((all) => (all[key] as T | undefined) ?? otherwise)

/** After log-in: the server's word, and over it what was changed here, before or while it was asked. */
export async function loadPreferences(): Promise<void> {
  const key = baseKeyOf(currentSession()?.userId)
  const base = read(key)
  usePreferences.setState(readStored(), true)
  const stored: Preferences = await call('/user/preferences', {})
  if (key !== baseKeyOf(currentSession()?.userId)) return // somebody else has logged in meanwhile
  const changed = changes(usePreferences.getState(), base)
  write(key, stored)
  store({ ...stored, ...changed })
  flushLater()
}

useSessionStore.subscribe(({ session }, before) => {
  if (session?.userId !== before.session?.userId) usePreferences.setState(readStored(), true)
})
