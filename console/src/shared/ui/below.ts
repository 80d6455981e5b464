/** Whether the screen is narrower than that now. */
import { useSyncExternalStore } from 'react'
import { type BREAKPOINT, below } from '../theme/tokens'

export function useBelow(width: keyof typeof BREAKPOINT): boolean {
  const query = below(width)
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}
