/** What comes with every move of the pointer or the view: told to the part that shows it alone, past the page's state. */
import { useMemo } from 'react'

export interface Told<T> {
  tell(what: T): void
  /** Who is told from now on; nobody. */
  to(take: ((what: T) => void) | undefined): void
}

export const useTold = <T>(): Told<T> =>
  useMemo(() => {
    let taker: ((what: T) => void) | undefined
    return {
      tell: (what) => taker?.(what),
      to: (take) => {
        taker = take
      },
    }
  }, [])
