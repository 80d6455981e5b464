/**
 * What was typed into a form and not sent, in the browser's own store, by account and form: a dialog that closes in passing,
 * a reload or the end of a session loses nothing, and no account is shown another's. The newest 30 stay, for a week.
 */
import { currentSession, VERSION } from '@/shared/session/session'

const MOST = 30
const LONGEST_MS = 7 * 24 * 60 * 60_000
const FRONT = `lustra-${VERSION}-draft-`

export interface Draft<T> {
  readonly savedAt: number
  readonly value: T
}

const keyOf = (form: string) => `${FRONT}${currentSession()?.userId ?? 0}-${form}`

function read(key: string): Draft<unknown> | undefined {
  try {
    const draft: Draft<unknown> | null = JSON.parse(localStorage.getItem(key) ?? 'null')
    return draft && draft.savedAt > Date.now() - LONGEST_MS ? draft : undefined
  } catch {
    return undefined
  }
}

export const loadDraft = <T>(form: string) => read(keyOf(form)) as Draft<T> | undefined

export const deleteDraft = (form: string) => localStorage.removeItem(keyOf(form))

/** Puts a draft by, and takes out what is too old or too much. Where the browser has no room, it stays on the screen alone. */
export function storeDraft<T>(form: string, value: T) {
  const draft: Draft<T> = { savedAt: Date.now(), value }
  try {
    localStorage.setItem(keyOf(form), JSON.stringify(draft))
  } catch {
    return
  }
  const ages = Object.keys(localStorage).flatMap((key) =>
    key.startsWith(FRONT) ? [{ key, savedAt: read(key)?.savedAt ?? 0 }] : [],
  )
  ages.sort((a, b) => b.savedAt - a.savedAt)
  for (const [place, { key, savedAt }] of ages.entries())
    if (place >= MOST || savedAt === 0) localStorage.removeItem(key)
}
