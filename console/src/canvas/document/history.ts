/** Undo and redo over immutable documents: a step is the document before it, so nothing has to be taken back by hand. */
export interface History<T> {
  readonly past: readonly T[]
  readonly now: T
  readonly future: readonly T[]
}

export const begin = <T>(now: T): History<T> => ({ past: [], now, future: [] })

export const commit = <T>(history: History<T>, now: T): History<T> =>
  now === history.now ? history : { past: [...history.past, history.now], now, future: [] }

export function undo<T>(history: History<T>): History<T> {
  const now = history.past.at(-1)
  if (now === undefined) return history
  return { past: history.past.slice(0, -1), now, future: [history.now, ...history.future] }
}

export function redo<T>(history: History<T>): History<T> {
  const now = history.future[0]
  if (now === undefined) return history
  return { past: [...history.past, history.now], now, future: history.future.slice(1) }
}
