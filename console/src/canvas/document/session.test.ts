/** The editing of a map past any screen: steps, merges with what others saved, and drawings that are taken up again. */
import { expect, test, vi } from 'vitest'
import { emptyRaster } from '../raster/raster'
import { type Line, type MapDocument, withMark, withoutMark } from './document'
import { undo } from './history'
import { changesOf, createEditSession, drawingOf, isUnsaved } from './session'

const wall = (id: string, name = id): Line => ({ id, kind: 'virtualWall', name, points: [] })
const grid = emptyRaster(4, 4)
const saved = (revision: number, ...marks: Line[]): MapDocument => ({
  ...{ id: '6', name: 'ward', revision, grid, marks },
  frame: { width: 4, height: 4, resolution: 1, origin: { x: 0, y: 0, yaw: 0 } },
})
const names = (map: MapDocument) => map.marks.map((mark) => mark.name)

/** A session upon revision 1 with the wall A, in which B was drawn. */
function drawn() {
  const session = createEditSession(saved(1, wall('A')))
  session.commit(withMark(session.history.now, wall('B')))
  return session
}

test('draw as a step that can be undone, and notify listeners', () => {
  const session = createEditSession(saved(1, wall('A')))
  const listener = vi.fn()
  const stop = session.listen(listener)
  session.commit(withMark(session.history.now, wall('B')))
  expect(listener).toHaveBeenCalledOnce()
  expect(changesOf(session.state).map(({ mark }) => mark.name)).toEqual(['B'])
  session.history = undo(session.history)
  expect(isUnsaved(session.state)).toBe(false)
  stop()
  session.discard()
  expect(listener).toHaveBeenCalledTimes(2)
})

test('a view that shows nothing takes no steps away', () => {
  const session = drawn()
  expect(session.history).toBe(session.state.history)
  session.history = undefined
  expect(names(session.history.now)).toEqual(['A', 'B'])
})

test('merge what somebody else saved as a step, and mark it as merged where something was drawn', () => {
  const session = drawn()
  session.receive(saved(2, wall('A'), wall('C')))
  expect(names(session.history.now)).toEqual(['A', 'C', 'B'])
  expect(session.state).toMatchObject({ onto: 2, merged: 2, conflicts: [] })
  expect(names(undo(session.history).now)).toEqual(['A', 'B'])

  const idle = createEditSession(saved(1, wall('A')))
  idle.receive(saved(2, wall('A'), wall('C')))
  expect(idle.state).toMatchObject({ onto: 2, merged: 0 })
  expect(isUnsaved(idle.state)).toBe(false)
})

test.each([1, 0])('revision %i, which is known or older, changes nothing', (revision) => {
  const session = drawn()
  const before = session.state
  session.receive(saved(revision, wall('C')))
  expect(session.state).toBe(before)
})

test('keep a conflict open until it is decided, over further revisions too', () => {
  const session = createEditSession(saved(1, wall('A')))
  session.commit(withMark(session.history.now, wall('A', 'mine')))
  session.receive(saved(2, wall('A', 'theirs')))
  session.receive(saved(3, wall('A', 'theirs'), wall('C')))
  const [conflict] = session.state.conflicts
  expect([conflict?.ours?.name, conflict?.theirs?.name]).toEqual(['mine', 'theirs'])
  if (conflict) session.decide(conflict, false)
  expect(names(session.history.now).sort()).toEqual(['C', 'theirs'])
  expect(session.state.conflicts).toEqual([])
})

test('a conflict that a further revision does not touch stays beside the new one', () => {
  const session = createEditSession(saved(1, wall('A'), wall('B')))
  session.commit(withMark(withMark(session.history.now, wall('A', 'mine')), wall('B', 'mine')))
  session.receive(saved(2, wall('A', 'theirs'), wall('B')))
  session.receive(saved(3, wall('A', 'theirs'), wall('B', 'theirs')))
  expect(session.state.conflicts.map(({ id }) => id).sort()).toEqual(['A', 'B'])
})

test('after somebody else saved, only what is drawn beyond theirs counts as a change', () => {
  const session = drawn()
  session.receive(saved(2, wall('A'), wall('C')))
  expect(names(session.state.base)).toEqual(['A', 'C'])
  expect(changesOf(session.state).map(({ kind, mark }) => `${kind} ${mark.name}`)).toEqual(['added B'])
})

test('count nothing that is saved, and take no own revision for somebody else’s', () => {
  const session = drawn()
  session.markSaved(session.history.now, 2)
  expect(isUnsaved(session.state)).toBe(false)
  const before = session.state
  session.receive(saved(2, wall('A'), wall('B')))
  expect(session.state).toBe(before)
})

test('a drawing that was left is taken up as one step, without the picture that comes from the server', () => {
  const left = drawingOf(drawn().state)
  expect([left.base.grid, left.map.grid]).toEqual([undefined, undefined])
  const session = createEditSession(saved(1, wall('A')))
  session.resume(structuredClone(left), grid)
  expect(names(session.history.now)).toEqual(['A', 'B'])
  expect(session.history.now.grid).toBe(grid)
  expect(session.state.merged).toBe(0)
  expect(names(undo(session.history).now)).toEqual(['A'])
})

test('a drawing that was left is merged with what was saved since', () => {
  const session = createEditSession(saved(4, wall('A', 'theirs'), wall('C')))
  const other = drawn()
  other.commit(withMark(other.history.now, wall('A', 'mine')))
  session.resume(drawingOf(other.state), grid)
  expect(names(session.history.now).sort()).toEqual(['B', 'C', 'mine'])
  expect(session.state).toMatchObject({ onto: 4, merged: 4 })
  expect(session.state.conflicts.map(({ id }) => id)).toEqual(['A'])
})

test('a conflict that was not decided is still one after a reload', () => {
  const first = createEditSession(saved(1, wall('A')))
  first.commit(withMark(first.history.now, wall('A', 'mine')))
  first.receive(saved(2, wall('A', 'theirs')))
  const session = createEditSession(saved(2, wall('A', 'theirs')))
  session.resume(drawingOf(first.state), grid)
  expect(session.state.conflicts.map(({ id }) => id)).toEqual(['A'])
})

test('a drawing that somebody has saved meanwhile holds nothing more', () => {
  const session = createEditSession(saved(2, wall('A'), wall('B')))
  session.resume(drawingOf(drawn().state), grid)
  expect(isUnsaved(session.state)).toBe(false)
})

test('return to the saved map on discard', () => {
  const session = drawn()
  session.commit(withoutMark(session.history.now, 'A'))
  session.discard()
  expect(names(session.history.now)).toEqual(['A'])
  expect(session.history.past).toEqual([])
})
