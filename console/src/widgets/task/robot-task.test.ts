import { expect, test } from 'vitest'
import { type MapDocument, newId, withOnly } from '@/canvas/document/document'
import { drawn, lacks, withTask } from './robot-task'

const map: MapDocument = {
  id: '1',
  name: 'floor',
  revision: 1,
  frame: { width: 100, height: 100, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
  grid: undefined,
  marks: [],
}
const square = [
  { x: 1, y: 1 },
  { x: 4, y: 1 },
  { x: 4, y: 4 },
]
const withArea = withOnly(map, { id: newId(), kind: 'taskArea', name: '', points: square })
const whole = withOnly(withArea, { id: newId(), kind: 'startPoint', name: '', at: { x: 2, y: 2, yaw: 0 } })

test('[rule.task.draw_first] [rule.task.start_point] [rule.task.name] a new task says what it lacks, in the order of the work', () => {
  expect(lacks('', map, drawn(map))).toEqual(['area', 'start', 'name'])
  expect(lacks('', withArea, drawn(withArea))).toEqual(['start', 'name'])
  expect(lacks('Lobby', whole, drawn(whole))).toEqual([])
})

test('[rule.task.map] without a map there is no task', () => {
  expect(lacks('Lobby', undefined, drawn(undefined))[0]).toBe('map')
})

test('[rule.task.one_area] a second area takes the place of the first', () => {
  const other = withOnly(whole, {
    id: newId(),
    kind: 'taskArea',
    name: '',
    points: square.map((p) => ({ ...p, x: p.x + 2 })),
  })
  expect(other.marks.filter((m) => m.kind === 'taskArea')).toHaveLength(1)
  expect(drawn(other).area[0]).toEqual([3, 1])
})

test('[rule.map.edge] refuse an area beyond the edge before it is sent', () => {
  const far = withOnly(whole, {
    id: newId(),
    kind: 'taskArea',
    name: '',
    points: square.map((p) => ({ ...p, x: p.x + 20 })),
  })
  expect(lacks('Lobby', far, drawn(far))).toEqual(['edge'])
})

test('a task that follows a path needs no area, but the path', () => {
  expect(lacks('Round', map, drawn(map), '')).toEqual(['path'])
  expect(lacks('Round', map, drawn(map), 'Corridor')).toEqual([])
})

test('a task is shown where it was drawn, and one without an area leaves the floor as it is', () => {
  const drawing = withTask(map, { name: 'Lobby', areas: [{ points: drawn(whole).area }], start: [2, 2] })
  expect(drawn(drawing)).toEqual(drawn(whole))
  expect(withTask(map, { name: 'Round', areas: [], start: null }).marks).toEqual([])
})
