/** The open tabs of the logged-in user: kept in the preferences, so per user, here and on the server. */
import { useMemo } from 'react'
import { create } from 'zustand'
import { joinPreference, setPreference, usePreference, usePreferences } from '@/shared/theme/preferences'
import { queryClient } from '../query-client'
import { INDEX_TAB, joined, restored, type Tab } from './rules'

const KEY = 'tabs'
joinPreference(KEY, joined)

export function useTabs(): readonly Tab[] {
  const stored = usePreference<unknown>(KEY, undefined)
  return useMemo(() => restored(stored), [stored])
}

/** Applies a rule to the tabs; returns what they were and what they are now. */
export function changeTabs(rule: (tabs: readonly Tab[]) => readonly Tab[]) {
  const before = restored(usePreferences.getState()[KEY])
  const after = rule(before)
  if (JSON.stringify(before) !== JSON.stringify(after)) setPreference(KEY, after)
  return { before, after }
}

interface Views {
  /** The page shown last, for /refresh. */
  readonly last: Tab
  /** How often a page was started anew. */
  readonly versions: Readonly<Record<string, number>>
}

export const useViews = create<Views>(() => ({ last: INDEX_TAB, versions: {} }))

const broken = new Set<string>()
/** The page failed to draw: maybe by the data that it has. */
export const markBroken = (key: string) => void broken.add(key)

/** Starts a page anew: its state goes, its data are read again, and where they may have broken it, before it starts. */
export async function refreshPage(key: string) {
  if (broken.delete(key)) await queryClient.refetchQueries({ type: 'inactive' })
  useViews.setState(({ versions }) => ({ versions: { ...versions, [key]: (versions[key] ?? 0) + 1 } }))
  void queryClient.invalidateQueries()
}
