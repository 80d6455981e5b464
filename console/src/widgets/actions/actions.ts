/**
 * What can be done on the page that is shown, in one array per page: its keys, the sheet of keys and the command palette
 * read it, so that none of them can differ. A page that is hidden offers nothing.
 */
import { useEffect, useRef } from 'react'
import { chord } from '@/canvas/actions'

/** Id of the action that opens the palette: a button runs it, too. */
export const PALETTE = 'palette'

export const isMac = () => /mac/i.test(navigator.platform)

export interface PageAction {
  readonly id: string
  readonly label: string
  /** Keys as `chord` writes them: 'v', 'ctrl+z'. The first is the one that is shown. */
  readonly keys?: readonly string[]
  /** Why not now; '' or undefined when it can be done. */
  blocked?(): string | undefined
  run(): void
}

const sources = new Set<() => readonly PageAction[]>()

/** The actions of whatever is shown now; what was shown last stands first. */
export const currentActions = (): readonly PageAction[] => [...sources].reverse().flatMap((source) => source())

/** Offers actions for as long as this is shown. */
export function useActions(actions: readonly PageAction[]) {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const source = () => latest.current
    sources.add(source)
    return () => void sources.delete(source)
  }, [])
}

/** Keys belong to a field, a dialog or a menu while one has them. */
const isElsewhere = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], dialog, [role=dialog], [role=combobox], [role=menu]') !==
    null

/** Runs the action of a key stroke; false where there is none, or its key belongs to something else now. */
export function runByKey(event: KeyboardEvent, actions = currentActions()): boolean {
  if (event.defaultPrevented || isElsewhere(event.target)) return false
  const pressed = chord(event)
  const action = actions.find((entry) => entry.keys?.includes(pressed) && !entry.blocked?.())
  if (!action) return false
  event.preventDefault()
  event.stopPropagation()
  action.run()
  return true
}
