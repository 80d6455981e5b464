/** Short messages over the page, for what the screen does not show itself. Errors stay 5 s; the same text is not said twice meanwhile. */
type Kind = 'error' | 'info' | 'success'
export interface Notice {
  readonly kind: Kind
  readonly text: string
}

export const NOTICE_MS = 5000
const takers = new Set<(notice: Notice) => void>()
const recent = new Map<string, number>()

export function notice(kind: Kind, text: string) {
  const now = Date.now()
  if (now - (recent.get(text) ?? Number.NEGATIVE_INFINITY) < NOTICE_MS) return
  recent.set(text, now)
  for (const take of takers) take({ kind, text })
}

export function onNotice(take: (notice: Notice) => void): () => void {
  takers.add(take)
  return () => void takers.delete(take)
}
