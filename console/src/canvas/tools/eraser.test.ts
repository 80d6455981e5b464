import { expect, test } from 'vitest'
import { type MapDocument, pointsOf } from '../document/document'
import type { Point } from '../geometry/geometry'
import { eraser, straightened } from './eraser'
import type { Draft } from './tool'

const OTHERS = { selection: [], choose: () => undefined, marquee: () => undefined }
const p = (x: number, y: number): Point => ({ x, y })

test('a stroke keeps its corners and loses what lies between', () => {
  const line = [p(0, 0), p(1, 0.01), p(2, 0), p(2, 1), p(2, 2)]
  expect(straightened(line, 0.03)).toEqual([p(0, 0), p(2, 0), p(2, 2)])
  expect(straightened([p(0, 0), p(1, 5)], 9)).toEqual([p(0, 0), p(1, 5)])
  expect(straightened([], 0.03)).toEqual([])
})

test('[rule.map.edge] the stroke waits at the edge; a slip of the hand is none', () => {
  let map: MapDocument = {
    ...{ id: 'm', name: '', revision: 1, grid: undefined, marks: [] },
    frame: { width: 100, height: 100, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
  }
  let refusal: string | undefined
  const tool = eraser(
    {
      get map() {
        return map
      },
      selected: undefined,
      ...OTHERS,
      reach: 0.3,
      draft: () => undefined,
      commit: (next) => {
        map = next
      },
      refuse: (why) => {
        refusal = why?.reason
      },
      select: () => undefined,
    },
    () => 'E1',
  )
  tool.down(p(1, 1))
  tool.up(p(1, 1))
  expect(map.marks).toEqual([])
  tool.down(p(8, 1))
  for (const x of [8.5, 9, 9.9, 10.5]) tool.move(p(x, 1))
  expect(refusal).toBe('map.beyondEdge')
  tool.up(p(10.5, 1))
  expect(map.marks).toMatchObject([{ kind: 'eraser', name: 'E1', width: 0.5, points: [p(8, 1), p(9.9, 1)] }])
})

test('a stroke neither begins beyond the edge nor grows without end, and cancel leaves nothing', () => {
  const seen = { refusal: undefined as string | undefined, draft: undefined as Draft | undefined }
  const commits: MapDocument[] = []
  const tool = eraser({
    map: {
      ...{ id: 'm', name: '', revision: 1, grid: undefined, marks: [] },
      frame: { width: 1000, height: 100, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
    },
    selected: undefined,
    ...OTHERS,
    reach: 0.3,
    draft: (draft) => {
      seen.draft = draft
    },
    commit: (next) => commits.push(next),
    refuse: (why) => {
      seen.refusal = why?.reason
    },
    select: () => undefined,
  })
  tool.down(p(-1, 1))
  tool.move(p(2, 1))
  tool.up(p(2, 1))
  expect(seen).toEqual({ refusal: 'map.beyondEdge', draft: undefined })
  tool.down(p(1, 1))
  tool.move(p(2, 1))
  tool.move(p(2.05, 1)) // less than a step
  expect(seen.draft?.map.marks).toMatchObject([{ points: [p(1, 1), p(2, 1)] }])
  tool.cancel()
  tool.up(p(2, 1))
  expect([commits, seen]).toEqual([[], { refusal: undefined, draft: undefined }])
  tool.down(p(0, 1))
  for (let i = 1; i < 450; i++) tool.move(p(i * 0.2, 1 + (i % 2)))
  tool.up(p(90, 1))
  const [mark] = commits[0]?.marks ?? []
  expect(mark && pointsOf(mark).length).toBe(400)
  expect(mark?.name).toBe('')
})
