import { expect, test } from 'vitest'
import type { MapDocument } from '../document/document'
import type { Point } from '../geometry/geometry'
import { eraser, straightened } from './eraser'

const p = (x: number, y: number): Point => ({ x, y })

test('a stroke keeps its corners and loses what lies between', () => {
  const line = [p(0, 0), p(1, 0.01), p(2, 0), p(2, 1), p(2, 2)]
  expect(straightened(line, 0.03)).toEqual([p(0, 0), p(2, 0), p(2, 2)])
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
