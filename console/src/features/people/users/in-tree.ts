/** Accounts as their tree unfolds: each before those below it, and these in the order in which they were given. */
import type { UserRow } from '@/widgets/person/person'

const TOP = 0

export function inTree(rows: readonly UserRow[]): readonly UserRow[] {
  const ids = new Set(rows.map(({ userId }) => userId))
  const below = new Map<number, UserRow[]>()
  for (const row of rows) {
    const parent = row.parentUser !== null && ids.has(row.parentUser) ? row.parentUser : TOP
    below.set(parent, [...(below.get(parent) ?? []), row])
  }
  const unfold = (parent: number): readonly UserRow[] =>
    (below.get(parent) ?? []).flatMap((row) => [row, ...unfold(row.userId)])
  return unfold(TOP)
}
