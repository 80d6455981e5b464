/**
 * Short messages over the page, for what the screen does not show itself. Errors stay 5 s; the same text is not said twice
 * meanwhile. What can be taken back offers it for as long.
 */
type Kind = 'error' | 'info' | 'success'

export interface Undo {
  readonly label: string
  run(): void
}

export interface Notice {
  readonly kind: Kind
  readonly text: string
  readonly undo?: Undo | undefined
}

export const NOTICE_MS = 5000
const takers = new Set<(notice: Notice) => void>()
const recent = new Map<string, number>()

export function notice(kind: Kind, text: string, undo?: Undo) {
  const now = Date.now()
  if (!undo && now - (recent.get(text) ?? Number.NEGATIVE_INFINITY) < NOTICE_MS) return
  recent.set(text, now)
  for (const take of takers) take({ kind, text, undo })
}

export function onNotice(take: (notice: Notice) => void): () => void {
  takers.add(take)
  return () => void takers.delete(take)
}
