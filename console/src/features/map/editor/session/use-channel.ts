/** What comes with every move of the pointer or the view: sent to the part that shows it alone, past the page's state. */
import { useMemo } from 'react'

export interface Channel<T> {
  tell(value: T): void
  /** The listener from now on; none. */
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
