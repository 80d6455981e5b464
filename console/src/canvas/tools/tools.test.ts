import { expect, test } from 'vitest'
import { isFlag, type MapDocument, type Mark, pointsOf } from '../document/document'
import type { Box, Point, Pose } from '../geometry/geometry'
import { FREE, OCCUPIED } from '../raster/raster'
import { rasterOf } from '../raster/test-raster'
import { aim, frame } from './aim'
import { area } from './area'
import { flag, startPoint } from './flag'
import { hand, select } from './select'
import { taskPath } from './task-path'
import type { Draft, Editor, Refusal, Tool } from './tool'
import { virtualWall } from './virtual-wall'

/** A floor of 10 by 8 m whose origin lies at -2, -1. */
const floor: MapDocument = {
  id: 'm',
  name: '',
  revision: 1,
  frame: { width: 200, height: 160, resolution: 0.05, origin: { x: -2, y: -1, yaw: 0 } },
  grid: undefined,
  marks: [],
}

function setup(make: (editor: Editor) => Tool, map = floor) {
  const seen = {
    commits: [] as MapDocument[],
    draft: undefined as Draft | undefined,
    refusal: undefined as Refusal | undefined,
  }
  let [now, selection] = [map, [] as readonly string[]]
  let marquee: Box | undefined
  const tool = make({
    get map() {
      return now
    },
    get selected() {
      return selection.length === 1 ? selection[0] : undefined
    },
    get selection() {
      return selection
    },
    reach: 0.3,
    draft: (draft) => {
      seen.draft = draft
    },
    commit: (next) => {
      seen.commits.push(next)
      now = next
    },
    refuse: (refusal) => {
      seen.refusal = refusal
    },
    select: (id) => {
      selection = id === undefined ? [] : [id]
    },
    choose: (ids) => {
      selection = ids
    },
    marquee: (box) => {
      marquee = box
    },
  })
  const drag = (from: Point, ...way: Point[]) => {
    const taken = tool.down(from, false)
    for (const at of way) tool.move(at)
    tool.up(way.at(-1) ?? from)
    return taken
  }
  const click = (x: number, y: number) => drag({ x, y })
  return {
    ...{ tool, seen, drag, click },
    marks: () => now.marks,
    selected: () => selection[0],
    selection: () => selection,
    marquee: () => marquee,
  }
}

const p = (x: number, y: number): Point => ({ x, y })
const kinds = (marks: readonly Mark[]) => marks.map((mark) => mark.kind)

test('dragging draws a rectangle as area of the task', () => {
  const { seen, drag, marks } = setup(area)
  drag(p(0, 0), p(1, 1), p(3, 2))
  expect(marks()).toMatchObject([{ kind: 'taskArea', points: [p(0, 0), p(3, 0), p(3, 2), p(0, 2)] }])
  expect(seen).toMatchObject({ draft: undefined, refusal: undefined })
})

test('[rule.task.one_area] a second area takes the place of the first', () => {
  const { drag, marks } = setup(area)
  drag(p(0, 0), p(3, 2))
  drag(p(4, 0), p(6, 2))
  expect(kinds(marks())).toEqual(['taskArea'])
  expect(marks()[0]).toMatchObject({ points: [p(4, 0), p(6, 0), p(6, 2), p(4, 2)] })
})

test('zones add to each other', () => {
  const { drag, marks } = setup((editor) => area(editor, { kind: 'forbiddenZone', name: () => 'Z' }))
  drag(p(0, 0), p(3, 2))
  drag(p(4, 0), p(6, 2))
  expect(kinds(marks())).toEqual(['forbiddenZone', 'forbiddenZone'])
})

test('clicks draw a polygon that ends on its first point', () => {
  const { click, marks, seen } = setup(area)
  click(0, 0)
  click(4, 0)
  click(4, 3)
  expect(seen.draft?.open).toBe(true)
  expect(marks()).toEqual([])
  click(0.1, 0.1)
  expect(marks()).toMatchObject([{ points: [p(0, 0), p(4, 0), p(4, 3)] }])
})

test('Enter ends a polygon, a double click does so too', () => {
  const byKey = setup(area)
  for (const [x, y] of [
    [0, 0],
    [4, 0],
    [4, 3],
  ] as const)
    byKey.click(x, y)
  byKey.tool.finish?.()
  const twice = setup(area)
  for (const [x, y] of [
    [0, 0],
    [4, 0],
    [4, 3],
    [4, 3],
  ] as const)
    twice.click(x, y)
  expect([byKey.marks().length, twice.marks().length]).toEqual([1, 1])
})

test('[rule.map.edge] beyond the edge is refused while drawing, with the measure', () => {
  const { tool, seen } = setup(area)
  tool.down(p(6, 0))
  tool.move(p(7, 2))
  expect(seen.refusal).toBeUndefined()
  tool.move(p(11, 2))
  expect(seen.refusal).toMatchObject({ reason: 'map.beyondEdge', width: 3, height: 2 })
  tool.move(p(8, 2))
  expect(seen.refusal).toBeUndefined()
})

test('a refused area stays in hand: a corner dragged back makes it right', () => {
  const { seen, drag, marks } = setup(area)
  drag(p(6, 0), p(9, 2))
  expect(marks()).toEqual([])
  expect(seen.draft).toBeDefined()
  drag(p(9, 0), p(8, 0))
  expect(marks()).toEqual([])
  drag(p(9, 2), p(8, 2))
  expect(marks()).toMatchObject([{ points: [p(6, 0), p(8, 0), p(8, 2), p(6, 2)] }])
  expect(seen.refusal).toBeUndefined()
})

test('the corners of the area that was drawn can be dragged on', () => {
  const { drag, marks, seen } = setup(area)
  drag(p(0, 0), p(3, 2))
  const id = marks()[0]?.id
  drag(p(3, 2), p(4, 4))
  expect(marks()).toMatchObject([{ id, points: [p(0, 0), p(3, 0), p(4, 4), p(0, 2)] }])
  drag(p(4, 4), p(9, 4))
  expect(seen.refusal?.reason).toBe('map.beyondEdge')
  drag(p(9, 4), p(5, 4))
  expect(marks()).toMatchObject([{ id, points: [p(0, 0), p(3, 0), p(5, 4), p(0, 2)] }])
})

test('F brings a refused area back into the map', () => {
  const { tool, drag, marks } = setup(area)
  drag(p(6, 0), p(9, 9))
  tool.fit?.()
  expect(marks()).toMatchObject([{ points: [p(6, 0), p(8, 0), p(8, 7), p(6, 7)] }])
})

test('an area of less than 0.25 m² is refused', () => {
  const { seen, drag } = setup(area)
  drag(p(0, 0), p(0.6, 0.4))
  expect(seen).toMatchObject({ commits: [], refusal: { reason: 'task_area_required' } })
})

test('begin nothing beyond the map', () => {
  for (const make of [area, virtualWall, startPoint, taskPath]) {
    const { seen, drag } = setup(make)
    drag(p(-3, 0), p(1, 1))
    expect(seen).toMatchObject({ commits: [], refusal: { reason: 'map.beyondEdge' } })
  }
})

test('a drag draws one wall, a slip of the hand none', () => {
  const { seen, drag, marks } = setup(virtualWall)
  drag(p(1, 1), p(1.05, 1))
  drag(p(1, 1), p(2, 1), p(3, 1))
  expect(seen.commits).toHaveLength(1)
  expect(marks()).toMatchObject([{ kind: 'virtualWall', points: [p(1, 1), p(3, 1)] }])
})

test('[rule.map.edge] a wall beyond the edge is refused', () => {
  const { seen, drag } = setup(virtualWall)
  drag(p(7, 1), p(8.5, 1))
  expect(seen).toMatchObject({ commits: [], refusal: { reason: 'map.beyondEdge' } })
})

test('cancel leaves no trace, whatever the tool', () => {
  for (const make of [area, virtualWall, startPoint, taskPath]) {
    const { tool, seen } = setup(make)
    tool.down(p(1, 1))
    tool.move(p(4, 4))
    tool.cancel()
    tool.up(p(3, 1))
    expect(seen).toEqual({ commits: [], draft: undefined, refusal: undefined })
  }
})

test('turn a flag to where it is dragged, else as it was before', () => {
  const { drag, click, marks } = setup((editor) => flag(editor, { kind: 'charging', yaw: 1 }))
  drag(p(1, 1), p(1, 3))
  click(4, 4)
  const yaws = marks().map((mark) => isFlag(mark) && mark.at.yaw)
  expect(yaws).toEqual([Math.PI / 2, 1])
})

test('a start point stands on free floor, and there is one', () => {
  const grid = rasterOf(200, 160, (column) => (column < 100 ? FREE : OCCUPIED))
  const { click, marks, seen } = setup(startPoint, { ...floor, grid })
  click(5, 1)
  expect(seen.refusal?.reason).toBe('map.notFree')
  click(1, 1)
  click(2, 2)
  expect(marks()).toMatchObject([{ kind: 'startPoint', at: { x: 2, y: 2 } }])
})

const wall: Mark = { id: 'w', kind: 'virtualWall', name: '', points: [p(1, 1), p(3, 1)] }
const walled = { ...floor, marks: [wall] }

test('a press on nothing pans, on a mark selects; nothing moves read-only', () => {
  const { drag, selected, seen } = setup((editor) => select(editor), walled)
  expect(drag(p(5, 5), p(6, 6))).toBe(false)
  expect(selected()).toBeUndefined()
  expect(drag(p(2, 1.1), p(2, 4))).toBe(false)
  expect([selected(), seen.commits.length]).toEqual(['w', 0])
})

test('the hand leaves every press to the view, which pans', () => {
  const { drag, seen, tool } = setup(hand, walled)
  expect(drag(p(2, 1), p(4, 4))).toBe(false)
  tool.cancel()
  expect(seen).toEqual({ commits: [], draft: undefined, refusal: undefined })
})

test('a mark that may be edited is moved whole by its body and bent by its points', () => {
  const { drag, marks } = setup((editor) => select(editor, true), walled)
  drag(p(2, 1), p(2, 3))
  expect(marks()).toMatchObject([{ id: 'w', points: [p(1, 3), p(3, 3)] }])
  drag(p(3, 3), p(4, 4))
  expect(marks()).toMatchObject([{ id: 'w', points: [p(1, 3), p(4, 4)] }])
})

test('[rule.map.edge] a mark dragged beyond the edge springs back', () => {
  const { drag, marks, seen } = setup((editor) => select(editor, true), walled)
  drag(p(2, 1), p(9, 1))
  expect(marks()).toEqual([wall])
  expect(seen).toEqual({ commits: [], draft: undefined, refusal: undefined })
})

test('a place is aimed at by a press, and its heading by a drag; the document stays as it is', () => {
  const poses: Pose[] = []
  const { drag, click, seen } = setup((editor) => aim(editor, (pose) => poses.push(pose), 1))
  drag({ x: 1, y: 1 }, { x: 1, y: 3 })
  click(2, 2)
  expect(poses).toEqual([
    { x: 1, y: 1, yaw: Math.PI / 2 },
    { x: 2, y: 2, yaw: 1 },
  ])
  expect([seen.commits, seen.draft]).toEqual([[], undefined])
})

test('send nobody beyond the edge or into a wall', () => {
  const poses: Pose[] = []
  const grid = rasterOf(200, 160, (column) => (column < 100 ? FREE : OCCUPIED))
  const { click, seen } = setup((editor) => aim(editor, (pose) => poses.push(pose)), { ...floor, grid })
  click(20, 0)
  expect(seen.refusal?.reason).toBe('map.beyondEdge')
  click(6, 0)
  expect(seen.refusal?.reason).toBe('map.notFree')
  click(0, 0)
  expect([poses.length, seen.refusal]).toEqual([1, undefined])
})

test('take a window by its sides, and ignore a slip', () => {
  const boxes: Box[] = []
  const { drag, seen } = setup((editor) => frame(editor, (box) => boxes.push(box)))
  drag({ x: 3, y: 4 }, { x: 1, y: 1 })
  expect(boxes).toEqual([{ left: 1, bottom: 1, right: 3, top: 4 }])
  drag({ x: 0, y: 0 }, { x: 0.2, y: 2 })
  expect([boxes.length, seen.refusal?.reason]).toEqual([1, 'task_area_required'])
})

test('a path is pressed point by point and ends on its last one; a new one takes the place of the old', () => {
  const { click, marks, seen } = setup(taskPath)
  for (const [x, y] of [
    [1, 1],
    [3, 1],
    [3, 3],
    [3, 3],
  ] as const)
    click(x, y)
  expect(marks()).toMatchObject([{ kind: 'taskPath', points: [p(1, 1), p(3, 1), p(3, 3)] }])
  for (const [x, y] of [
    [5, 1],
    [6, 1],
    [6, 1],
  ] as const)
    click(x, y)
  expect(seen.commits).toHaveLength(2)
  expect(marks()).toMatchObject([{ points: [p(5, 1), p(6, 1)] }])
})

test('a path is drawn with the button held; a single press is none', () => {
  const { drag, click, tool, marks, seen } = setup(taskPath)
  drag(p(1, 1), p(2, 1), p(2.05, 1), p(3, 1))
  expect(marks()).toMatchObject([{ points: [p(1, 1), p(2, 1), p(3, 1)] }])
  click(5, 5)
  tool.finish?.()
  expect(seen.commits).toHaveLength(1)
})

test('a polygon shows its open side, and a second click in its place is no point of it', () => {
  const { click, tool, seen, marks } = setup(area)
  click(0, 0)
  click(0.1, 0)
  tool.move(p(4, 0))
  expect(seen.draft).toMatchObject({ open: true, map: { marks: [{ points: [p(0, 0), p(4, 0)] }] } })
  click(4, 0)
  tool.finish?.()
  expect([marks(), seen.refusal?.reason]).toEqual([[], 'task_area_required'])
})

test('a press away from the corners of a refused area begins anew', () => {
  const { drag, marks } = setup(area)
  drag(p(6, 0), p(9, 2))
  drag(p(1, 1), p(3, 3))
  expect(marks()).toMatchObject([{ points: [p(1, 1), p(3, 1), p(3, 3), p(1, 3)] }])
})

test('Enter and F do nothing where nothing is open or refused', () => {
  const { tool, seen } = setup(area)
  tool.finish?.()
  tool.fit?.()
  expect(seen).toEqual({ commits: [], draft: undefined, refusal: undefined })
})

test('cancel lets a mark in hand spring back, then takes the selection away', () => {
  const { tool, seen, selected } = setup((editor) => select(editor, true), walled)
  tool.down(p(2, 1))
  tool.move(p(2, 3))
  expect(seen.draft).toBeDefined()
  tool.cancel()
  expect([seen.draft, selected()]).toEqual([undefined, 'w'])
  tool.up(p(2, 3))
  tool.cancel()
  expect([seen.commits, selected()]).toEqual([[], undefined])
})

test('a flag beyond the edge is refused at its place, without a measure', () => {
  const charger: Mark = { id: 'c', kind: 'charging', name: '', at: { x: 5, y: 5, yaw: 0 } }
  const { tool, seen } = setup((editor) => select(editor, true), { ...floor, marks: [charger] })
  tool.down(p(5, 5))
  tool.move(p(9, 5))
  expect(seen.refusal).toEqual({ reason: 'map.beyondEdge', at: { x: 9, y: 5, yaw: 0 } })
})

test('a window is shown while it is dragged, and cancel leaves nothing of it', () => {
  const { tool, seen } = setup((editor) => frame(editor, () => expect.unreachable()))
  tool.move(p(3, 3))
  tool.down(p(1, 1))
  tool.move(p(3, 3))
  expect(seen.draft?.map.marks).toMatchObject([{ kind: 'taskArea', points: [p(1, 1), p(3, 1), p(3, 3), p(1, 3)] }])
  tool.cancel()
  tool.up(p(3, 3))
  expect(seen).toEqual({ commits: [], draft: undefined, refusal: undefined })
})

test('a path follows the pointer between two presses, and ends at 2,000 points', () => {
  const { click, tool, seen, marks } = setup(taskPath)
  click(1, 1)
  tool.move(p(2, 1))
  expect(seen.draft?.map.marks).toMatchObject([{ points: [p(1, 1), p(2, 1)] }])
  for (let i = 0; i < 2000; i++) click(1 + (i % 2), 2)
  tool.finish?.()
  const [path] = marks()
  expect(path && pointsOf(path).length).toBe(2000)
})
