/**
 * Lines of a log as they come, by their numbers: what came before is passed over, what is missing between two counts as left
 * out. Of very many the oldest go.
 */
import type { Streams } from '@/shared/live/frames'

export type Part = Streams['log']

export interface Line {
  readonly text: string
  /** Lines before it that were left out. */
  readonly missing: number
}

export interface Lines {
  readonly stream: string
  /** Number of the next line. */
  readonly next: number
  readonly list: readonly Line[]
}

export const NO_LINES: Lines = { stream: '', next: 0, list: [] }
const MOST = 5000

export function addLines(before: Lines, part: Part): Lines {
  if (part.stream === '' || part.lines.length === 0) return before
  const same = part.stream === before.stream
  const known = same ? Math.max(before.next - part.first, 0) : 0
  const fresh = part.lines.slice(known)
  if (fresh.length === 0) return before
  const missing = same ? Math.max(part.first - before.next, 0) : 0
  const added = fresh.map((text, place) => ({ text, missing: place === 0 ? missing : 0 }))
  return {
    stream: part.stream,
    next: part.first + part.lines.length,
    list: [...before.list, ...added].slice(-MOST),
  }
}

export const having = (lines: readonly Line[], words: string) => {
  const sought = words.trim().toLowerCase()
  return sought ? lines.filter(({ text }) => text.toLowerCase().includes(sought)) : lines
}
