/** Several marks are chosen by a box or with Shift, and moved as one step. */
import { expect, test } from 'vitest'
import type { MapDocument, Mark } from '../document/document'
import { chosenMarks } from '../document/selection'
import type { Box, Point } from '../geometry/geometry'
import { select } from './select'
import { splitter } from './splitter'
import type { Draft, Editor, Refusal, Tool } from './tool'

const p = (x: number, y: number): Point => ({ x, y })
const wall = (id: string, y: number): Mark => ({ id, kind: 'virtualWall', name: id, points: [p(1, y), p(3, y)] })
const room: Mark = { id: 'r', kind: 'freeArea', name: 'Hall', points: [p(0, 0), p(8, 0), p(8, 4), p(0, 4)] }

function board(make: (editor: Editor) => Tool, marks: readonly Mark[]) {
  const seen = {
    commits: 0,
    map: {
      ...{ id: 'm', name: '', revision: 1, grid: undefined, marks },
      frame: { width: 100, height: 100, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
    } as MapDocument,
    selection: [] as readonly string[],
    marquee: undefined as Box | undefined,
    draft: undefined as Draft | undefined,
    refusal: undefined as Refusal | undefined,
  }
  const tool = make({
    get map() {
      return seen.map
    },
    get selected() {
      return seen.selection.length === 1 ? seen.selection[0] : undefined
    },
    get selection() {
      return seen.selection
    },
    reach: 0.2,
    draft: (draft) => {
      seen.draft = draft
    },
    commit: (map) => {
      seen.commits += 1
      seen.map = map
    },
    refuse: (refusal) => {
      seen.refusal = refusal
    },
    select: (id) => {
      seen.selection = id === undefined ? [] : [id]
    },
    choose: (ids) => {
      seen.selection = ids
    },
    marquee: (box) => {
      seen.marquee = box
    },
  })
  const drag = (more: boolean, from: Point, ...way: Point[]) => {
    tool.down(from, more)
    for (const at of way) tool.move(at)
    tool.up(way.at(-1) ?? from)
  }
  return {
    seen,
    tool,
    drag,
    places: () =>
      chosenMarks(
        seen.map,
        seen.map.marks.map(({ id }) => id),
      ),
  }
}

const WALLS = [wall('a', 1), wall('b', 3), wall('c', 7)]
const selecting = () => board((editor) => select(editor, true), WALLS)

test('a box chooses what has a point in it, with Shift beside what is chosen', () => {
  const { seen, tool, drag } = selecting()
  tool.down(p(0.2, 0.2))
  tool.move(p(2, 4))
  expect(seen.marquee).toEqual({ left: 0.2, right: 2, bottom: 0.2, top: 4 })
  expect(seen.selection).toEqual(['a', 'b'])
  tool.up(p(2, 4))
  expect(seen.marquee).toBeUndefined()
  drag(true, p(0.2, 6), p(2, 8))
  expect(seen.selection).toEqual(['a', 'b', 'c'])
  drag(false, p(6, 6))
  expect(seen.selection).toEqual([])
  expect(seen.commits).toBe(0)
})

test('Shift adds a mark and takes it away', () => {
  const { seen, drag } = selecting()
  drag(false, p(2, 1))
  drag(true, p(2, 3), p(2, 5))
  expect(seen.selection).toEqual(['a', 'b'])
  drag(true, p(2, 1))
  expect(seen.selection).toEqual(['b'])
  expect(seen.commits).toBe(0)
})

test('move chosen elements together as one step, and choose one by a press on it', () => {
  const { seen, drag, places } = selecting()
  drag(false, p(0.2, 0.2), p(2, 4))
  drag(false, p(2, 3), p(2.5, 4))
  expect(seen.commits).toBe(1)
  expect(places()).toMatchObject([
    { id: 'a', points: [p(1.5, 2), p(3.5, 2)] },
    { id: 'b', points: [p(1.5, 4), p(3.5, 4)] },
    { id: 'c', points: [p(1, 7), p(3, 7)] },
  ])
  drag(false, p(2, 2))
  expect([seen.selection, seen.commits]).toEqual([['a'], 1])
})

test('[rule.map.edge] several springs back beyond the edge', () => {
  const { seen, tool } = selecting()
  tool.down(p(0.2, 0.2))
  tool.move(p(2, 4))
  tool.up(p(2, 4))
  tool.down(p(2, 3))
  tool.move(p(2, 0))
  expect(seen.refusal).toEqual({ reason: 'map.beyondEdge', at: p(1, -2) })
  tool.up(p(2, 0))
  expect([seen.commits, seen.refusal]).toEqual([0, undefined])
})

const splitting = () => board((editor) => splitter(editor, () => 'Room 2'), [room, wall('a', 1)])

test('a line across a room makes two of it, the new one chosen', () => {
  const { seen, tool, places } = splitting()
  tool.down(p(5, 0.1))
  tool.move(p(5, 3.9))
  expect(seen.draft?.map.marks.at(-1)).toMatchObject({ points: [p(5, 0.1), p(5, 3.9)] })
  tool.up(p(5, 3.9))
  expect(seen.commits).toBe(1)
  const [left, , right] = places()
  expect(left).toMatchObject({ name: 'Hall', points: [p(5, 0), p(8, 0), p(8, 4), p(5, 4)] })
  expect(right).toMatchObject({ name: 'Room 2', points: [p(5, 4), p(0, 4), p(0, 0), p(5, 0)] })
  expect(seen.selection).toEqual([right?.id])
})

test('a line that crosses no room says so, and a slip of the hand is none', () => {
  const { seen, tool, drag } = splitting()
  drag(false, p(2, 8), p(4, 8))
  expect(seen.refusal).toEqual({ reason: 'map.noRoomAcross', at: p(3, 8) })
  drag(false, p(2, 2), p(3, 2))
  expect(seen.refusal).toEqual({ reason: 'map.noRoomAcross', at: p(2.5, 2) })
  drag(false, p(5, 0.1), p(5.05, 0.1))
  tool.down(p(5, 0))
  tool.cancel()
  tool.move(p(5, 4))
  tool.up(p(5, 4))
  expect([seen.commits, seen.refusal, seen.draft]).toEqual([0, undefined, undefined])
})
