/** What comes with every move of the pointer or the view: told to the part that shows it alone, past the page's state. */
import { useMemo } from 'react'

export interface Channel<T> {
  tell(value: T): void
  /** Who is told from now on; nobody. */
  to(take: ((value: T) => void) | undefined): void
}

export const useChannel = <T>(): Channel<T> =>
  useMemo(() => {
    let taker: ((value: T) => void) | undefined
    return {
      tell: (value) => taker?.(value),
      to: (take) => {
        taker = take
      },
    }
  }, [])
