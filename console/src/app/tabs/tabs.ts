/** The open tabs of the logged-in user: kept in the preferences, so per user, here and on the server. */
import { useMemo } from 'react'
import { setPreference, usePreference, usePreferences } from '@/shared/theme/preferences'
import { restored, type Tab } from './rules'

const KEY = 'tabs'

export function useTabs(): readonly Tab[] {
  const kept = usePreference<unknown>(KEY, undefined)
  return useMemo(() => restored(kept), [kept])
}

/** Applies a rule to the tabs; returns what they were and what they are now. */
export function changeTabs(rule: (tabs: readonly Tab[]) => readonly Tab[]) {
  const before = restored(usePreferences.getState()[KEY])
  const after = rule(before)
  if (JSON.stringify(before) !== JSON.stringify(after)) setPreference(KEY, after)
  return { before, after }
}
