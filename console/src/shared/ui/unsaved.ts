/**
 * Pages that hold something that is not saved, by the path of their tab: the tab shows it, and closing the tab, logging out
 * or leaving the console asks. Going to another tab loses nothing and does not ask.
 */
import { create } from 'zustand'
import { currentSession, useSessionStore } from '../session/session'

interface Ways {
  /** Forgets it for good. */
  readonly discard: () => void
  /** Lets go of it here; it is offered when the page is opened again. */
  readonly putBy: () => void
}

interface Unsaved extends Ways {
  readonly userId: number
}

export const useUnsaved = create<Readonly<Record<string, Unsaved>>>(() => ({}))

export function markUnsaved(path: string, ways: Ways) {
  const userId = currentSession()?.userId
  if (userId === undefined || useUnsaved.getState()[path]) return
  useUnsaved.setState({ [path]: { ...ways, userId } })
}

export function markSaved(path: string) {
  const { [path]: saved, ...others } = useUnsaved.getState()
  if (saved) useUnsaved.setState(others, true)
}

useSessionStore.subscribe(({ session }, before) => {
  if (session?.userId !== before.session?.userId) useUnsaved.setState({}, true)
})

addEventListener('beforeunload', (event) => {
  const userId = currentSession()?.userId
  if (Object.values(useUnsaved.getState()).some((unsaved) => unsaved.userId === userId)) event.preventDefault()
})
