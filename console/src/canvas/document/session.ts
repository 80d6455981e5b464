/**
 * The editing of one map, past any screen: what is drawn with its steps, upon which revision, and what somebody else drew
 * meanwhile. Somebody else's revision is merged at once, as a step that can be undone; nothing is overwritten.
 */

import type { Raster } from '../raster/raster'
import type { MapDocument } from './document'
import { begin, commit, type History } from './history'
import { type Change, type Conflict, difference, merge, settled } from './merge'

/** What is drawn upon a saved map, without anything that can be had again. */
export interface Drawing {
  /** The saved map that changes are counted from. */
  readonly base: MapDocument
  readonly map: MapDocument
  /** The revision that a save goes upon. After a save the documents still carry the one before. */
  readonly onto: number
  /** What both changed, as long as nobody has chosen. */
  readonly conflicts: readonly Conflict[]
  /** Somebody else's revision that was merged into changes that are not saved; 0: none. */
  readonly merged: number
}

export interface EditState extends Omit<Drawing, 'map'> {
  readonly history: History<MapDocument>
}

export interface EditSession {
  readonly state: EditState
  /** The steps, which a view moves along. A view that shows nothing takes none away. */
  get history(): History<MapDocument>
  set history(history: History<MapDocument> | undefined)
  listen(listener: () => void): () => void
  commit(map: MapDocument): void
  /** A newer revision is merged; the one that is known, or an older one, changes nothing. */
  receive(theirs: MapDocument): void
  decide(conflict: Conflict, keepOurs: boolean): void
  /** `map` was saved, as this revision. */
  markSaved(map: MapDocument, revision: number): void
  /** Takes up a drawing, upon what is saved now: merged where somebody saved since. `grid`: of the drawing's map. */
  resume(drawing: Drawing, grid: Raster | undefined): void
  /** Back to what is saved. */
  discard(): void
}

export const changesOf = ({ base, history }: EditState): readonly Change[] => difference(base, history.now)

export const isUnsaved = (state: EditState): boolean => changesOf(state).length > 0 || state.conflicts.length > 0

const withoutGrid = (map: MapDocument): MapDocument => ({ ...map, grid: undefined })

/** The state as it is put by: pictures come from the server again. */
export const drawingOf = ({ history, base, ...rest }: EditState): Drawing => ({
  ...rest,
  base: withoutGrid(base),
  map: withoutGrid(history.now),
})

/** What is still open after a merge: its own conflicts, and those of before that it did not touch. */
const joined = (fresh: readonly Conflict[], before: readonly Conflict[]): readonly Conflict[] => [
  ...fresh,
  ...before.filter(({ id }) => !fresh.some((conflict) => conflict.id === id)),
]

export function createEditSession(saved: MapDocument): EditSession {
  let state: EditState = { history: begin(saved), base: saved, onto: saved.revision, conflicts: [], merged: 0 }
  const listeners = new Set<() => void>()
  const change = (part: Partial<EditState>) => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }
  return {
    get state() {
      return state
    },
    get history() {
      return state.history
    },
    set history(history) {
      if (history && history !== state.history) change({ history })
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    commit: (map) => change({ history: commit(state.history, map) }),
    receive: (theirs) => {
      const { base, history, onto, conflicts, merged } = state
      if (theirs.revision <= onto) return
      const both = merge(base, history.now, theirs)
      change({
        base: theirs,
        onto: theirs.revision,
        history: commit(history, both.map),
        conflicts: joined(both.conflicts, conflicts),
        merged: changesOf(state).length > 0 ? theirs.revision : merged,
      })
    },
    decide: (conflict, keepOurs) =>
      change({
        conflicts: state.conflicts.filter(({ id }) => id !== conflict.id),
        ...(!keepOurs && { history: commit(state.history, settled(state.history.now, conflict)) }),
      }),
    markSaved: (map, revision) => change({ base: map, onto: revision, merged: 0 }),
    resume: ({ base, map, onto, conflicts, merged }, grid) => {
      const newest = state.base
      const same = onto === newest.revision
      const both = same ? { map: { ...map, grid }, conflicts: [] } : merge(base, map, newest)
      change({
        history: commit(begin(newest), both.map),
        conflicts: joined(both.conflicts, conflicts),
        merged: same ? merged : newest.revision,
      })
    },
    discard: () => change({ history: begin(state.base), conflicts: [], merged: 0 }),
  }
}
