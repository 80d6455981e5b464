import { expect, test } from 'vitest'
import type { MapDocument, Mark } from './document'
import { withHours } from './hours'
import { difference, merge, settled } from './merge'
import { WHOLE } from './timed'

const wall = (id: string, x = 0): Mark => ({
  ...{ id, kind: 'virtualWall', name: id },
  points: [
    { x, y: 0 },
    { x: x + 1, y: 0 },
  ],
})
const map = (...marks: Mark[]): MapDocument => ({
  ...{ id: 'm', name: '', revision: 1, grid: undefined, marks },
  frame: { width: 10, height: 10, resolution: 1, origin: { x: 0, y: 0, yaw: 0 } },
})
const base = map(wall('a'), wall('b'), wall('c'))
const ids = (m: MapDocument) => m.marks.map((mark) => mark.id).sort()

test('take the change of who alone touched an element', () => {
  const local = map(wall('a', 5), wall('b'), wall('mine'))
  const theirs = map(wall('a'), wall('b', 7), wall('c'), wall('theirs'))
  const { map: both, conflicts } = merge(base, local, theirs)
  expect(conflicts).toEqual([])
  expect(ids(both)).toEqual(['a', 'b', 'mine', 'theirs'])
  expect(both.marks).toContainEqual(wall('a', 5))
  expect(both.marks).toContainEqual(wall('b', 7))
})

test('keep mine where both changed an element until somebody chooses', () => {
  const { map: both, conflicts } = merge(base, map(wall('a', 5), wall('b')), map(wall('a', 6), wall('b'), wall('c', 3)))
  expect(conflicts).toEqual(
    [
      { id: 'c', ours: undefined, theirs: wall('c', 3) },
      { id: 'a', ours: wall('a', 5), theirs: wall('a', 6) },
    ].sort((x, y) => x.id.localeCompare(y.id)),
  )
  expect(ids(both)).toEqual(['a', 'b'])
  expect(both.marks).toContainEqual(wall('a', 5))
})

test('both alike is no quarrel', () => {
  const { map: both, conflicts } = merge(base, map(wall('a', 5)), map(wall('a', 5)))
  expect([ids(both), conflicts]).toEqual([['a'], []])
})

test('the difference says what was added, changed and removed', () => {
  const changes = difference(base, map(wall('a'), wall('b', 2), wall('d')))
  expect(changes.map(({ kind, mark }) => `${kind} ${mark.id}`)).toEqual(['changed b', 'added d', 'removed c'])
})

const NIGHT = { start: '22:00', end: '06:00' }
const NOON = { start: '12:00', end: '14:00' }

test('hours of an element and of the whole map belong to what somebody changed', () => {
  const zone = { ...wall('z'), kind: 'forbiddenZone' } as Mark & { kind: 'forbiddenZone' }
  const changes = difference(map(zone), withHours(map({ ...zone, hours: NIGHT }), NOON))
  expect(changes.map(({ kind, mark }) => `${kind} ${mark.id}`)).toEqual(['changed z', `added ${WHOLE}`])
})

test('take the hours of who alone changed them, and ask where both did', () => {
  const [local, theirs] = [withHours(base, NIGHT), withHours(base, NOON)]
  expect(merge(base, local, base).map.hours).toEqual(NIGHT)
  expect(merge(base, base, theirs).map.hours).toEqual(NOON)
  expect(merge(local, base, local).map.hours).toBeUndefined()
  const { map: both, conflicts } = merge(base, local, theirs)
  const [quarrel] = conflicts
  if (!quarrel) throw new Error('no quarrel')
  expect([both.hours, quarrel.id]).toEqual([NIGHT, WHOLE])
  expect(settled(both, quarrel).hours).toEqual(NOON)
  expect(settled(both, quarrel).marks).toEqual(both.marks)
})

test('a flag that was moved is changed, and so is a stroke that became wider', () => {
  const charger = (x: number): Mark => ({ id: 'f', kind: 'charging', name: '', at: { x, y: 0, yaw: 0 } })
  const stroke = (width: number): Mark => ({ id: 'e', kind: 'eraser', name: '', points: [], width })
  const kinds = (before: Mark, now: Mark) => difference(map(before), map(now)).map(({ kind }) => kind)
  expect([kinds(charger(1), charger(1)), kinds(charger(1), charger(2))]).toEqual([[], ['changed']])
  expect([kinds(stroke(1), stroke(1)), kinds(stroke(1), stroke(2))]).toEqual([[], ['changed']])
})

test('theirs is taken also where they removed the element', () => {
  const { map: both, conflicts } = merge(base, map(wall('a', 5)), map())
  const [conflict] = conflicts
  if (!conflict) throw new Error('no conflict')
  expect([conflict.theirs, ids(both)]).toEqual([undefined, ['a']])
  expect(ids(settled(both, conflict))).toEqual([])
})
