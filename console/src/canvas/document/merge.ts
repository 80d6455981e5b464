/** Two people drew on one map: what each of them did, element by element, and what both together make. */
import { isFlag, isPrivate, type MapDocument, type Mark } from './document'
import { withHours } from './hours'
import { hoursOf, WHOLE, whole } from './timed'

export interface Change {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly mark: Mark
  readonly before?: Mark
}

export interface Merged {
  readonly map: MapDocument
  /** Elements that both changed, each in another way: mine is kept until somebody takes theirs (undefined: removed). */
  readonly conflicts: readonly Conflict[]
}

export interface Conflict {
  readonly id: string
  readonly ours: Mark | undefined
  readonly theirs: Mark | undefined
}

const comparable = (mark: Mark) =>
  JSON.stringify([
    mark.kind,
    mark.name,
    hoursOf(mark),
    isPrivate(mark),
    isFlag(mark) ? mark.at : [mark.points, 'width' in mark ? mark.width : 0],
  ])

const same = (a: Mark | undefined, b: Mark | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && comparable(a) === comparable(b))

/** What is drawn, and the whole map with its hours. */
const all = (map: MapDocument): readonly Mark[] => {
  const own = whole(map)
  return own ? [...map.marks, own] : map.marks
}

const byId = (map: MapDocument) => new Map(all(map).map((mark) => [mark.id, mark]))

/** The map with these elements: the whole map among them brings its hours. */
function withMarks(map: MapDocument, marks: readonly Mark[]): MapDocument {
  const own = marks.find((mark) => mark.id === WHOLE)
  const drawn = marks.filter((mark) => mark.id !== WHOLE)
  return { ...withHours(map, own && hoursOf(own)), marks: drawn }
}

/** What has to be done to the first map to have the second. */
export function difference(before: MapDocument, now: MapDocument): Change[] {
  const [old, fresh] = [byId(before), byId(now)]
  return [
    ...all(now).flatMap((mark): Change[] => {
      const was = old.get(mark.id)
      if (!was) return [{ kind: 'added', mark }]
      return same(was, mark) ? [] : [{ kind: 'changed', mark, before: was }]
    }),
    ...all(before).flatMap((mark): Change[] => (fresh.has(mark.id) ? [] : [{ kind: 'removed', mark }])),
  ]
}

/** A quarrel is settled: theirs is taken. */
export const settled = (map: MapDocument, { id, theirs }: Conflict): MapDocument =>
  withMarks(map, [...all(map).filter((mark) => mark.id !== id), ...(theirs ? [theirs] : [])])

/** Three ways by the element's id: who alone touched an element has it; where both did alike there is no quarrel. */
export function merge(base: MapDocument, ours: MapDocument, theirs: MapDocument): Merged {
  const [was, own, other] = [byId(base), byId(ours), byId(theirs)]
  const conflicts: Conflict[] = []
  const chosen = (id: string): Mark | undefined => {
    const [b, m, t] = [was.get(id), own.get(id), other.get(id)]
    if (same(m, b) || same(m, t)) return t
    if (!same(t, b)) conflicts.push({ id, ours: m, theirs: t })
    return m
  }
  const ids = new Set([...all(theirs), ...all(ours)].map((mark) => mark.id))
  const marks = [...ids].flatMap((id) => chosen(id) ?? [])
  return { map: withMarks(theirs, marks), conflicts }
}
