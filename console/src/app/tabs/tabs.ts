/**
 * The open tabs: kept by this browser for each account, so that two people of one account, or one at two desks, do not open
 * each other's. Windows of one browser share them.
 */
import { create } from 'zustand'
import { currentSession, useSessionStore } from '@/shared/session/session'
import { queryClient } from '../query-client'
import { INDEX_TAB, joined, restored, type Tab } from './rules'

const keyOf = (userId: number | undefined) => `lustra-tabs-${userId ?? 'nobody'}`

function read(userId: number | undefined): readonly Tab[] {
  try {
    return restored(JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]'))
  } catch {
    return restored([])
  }
}

const useStore = create<{ tabs: readonly Tab[] }>(() => ({ tabs: read(currentSession()?.userId) }))

export const useTabs = (): readonly Tab[] => useStore(({ tabs }) => tabs)

/** Applies a rule to the tabs; returns what they were and what they are now. */
export function changeTabs(rule: (tabs: readonly Tab[]) => readonly Tab[]) {
  const before = useStore.getState().tabs
  const after = rule(before)
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    const userId = currentSession()?.userId
    const tabs = joined(before, after, read(userId))
    useStore.setState({ tabs })
    localStorage.setItem(keyOf(userId), JSON.stringify(tabs))
  }
  return { before, after: useStore.getState().tabs }
}

useSessionStore.subscribe(({ session }, before) => {
  if (session?.userId !== before.session?.userId) useStore.setState({ tabs: read(session?.userId) })
})
addEventListener('storage', ({ key }) => {
  const userId = currentSession()?.userId
  if (key === keyOf(userId)) useStore.setState({ tabs: read(userId) })
})

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
