import { expect, test } from 'vitest'
import { actionFor, chord } from './actions'
import type { MapDocument } from './document/document'
import { elements } from './document/elements'
import { begin, commit, redo, undo } from './document/history'
import { hit } from './geometry/hit'
import { dimmed, echoes, fading, glideTo, poseAt, stand } from './live'

test('undo and redo walk through documents; a new change forgets what was undone', () => {
  let history = commit(commit(begin('a'), 'b'), 'c')
  history = undo(undo(undo(history)))
  expect(history.now).toBe('a')
  history = redo(history)
  expect(history.now).toBe('b')
  history = commit(history, 'd')
  expect(redo(history).now).toBe('d')
  expect(undo(history).now).toBe('b')
  expect(commit(history, 'd')).toBe(history)
})

const stroke = (key: string, more = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})

test('a key runs the action that the account may and can do now', () => {
  const run = () => undefined
  const actions = [
    { id: 'draw', keys: ['z'], needs: 'device/maplist', run },
    { id: 'undo', keys: ['ctrl+z'], enabled: (steps: number) => steps > 0, run },
  ]
  const actionOf = (key: string, more: object, steps: number, may: boolean) =>
    actionFor(actions, stroke(key, more), steps, () => may)?.id
  expect(actionOf('z', {}, 0, true)).toBe('draw')
  expect(actionOf('z', {}, 0, false)).toBeUndefined()
  expect(actionOf('z', { metaKey: true }, 1, true)).toBe('undo')
  expect(actionOf('z', { ctrlKey: true }, 0, true)).toBeUndefined()
})

test('a key has one spelling', () => {
  expect(chord(stroke('Z', { ctrlKey: true, shiftKey: true }))).toBe('ctrl+shift+z')
  expect(chord(stroke('+', { shiftKey: true }))).toBe('+')
})

const from = { x: 0, y: 0, yaw: 3 }
const to = { x: 1, y: 2, yaw: -3 }

test('a robot glides to the newest pose in at most 250 ms and never beyond', () => {
  const glide = glideTo(stand(from, 0), to, 1000)
  expect(poseAt(glide, 1000)).toEqual(from)
  expect(poseAt(glide, 1125).x).toBeCloseTo(0.5)
  expect(Math.abs(poseAt(glide, 1125).yaw)).toBeCloseTo(Math.PI)
  expect(poseAt(glide, 1250)).toBe(to)
  expect(poseAt(glide, 99_000)).toBe(to)
})

test('at 10 Hz the glide lasts as long as the poses are apart', () => {
  const glide = glideTo(glideTo(stand(from, 0), { ...to, x: 0.5 }, 1000), to, 1100)
  expect(glide.time).toBe(100)
  expect(poseAt(glide, 1200)).toBe(to)
})

test('a relocalisation jumps', () => {
  const far = { x: 9, y: 9, yaw: 0 }
  expect(poseAt(glideTo(stand(from, 0), far, 1000), 1000)).toBe(far)
})

test('a robot at work dims after 3 s, one at rest after 10 s', () => {
  expect([
    dimmed('cleaning', 2900),
    dimmed('cleaning', 3100),
    dimmed('idle', 9000),
    dimmed('charging', 11_000),
  ]).toEqual([1, 0.55, 1, 0.55])
})

test('a scan fades after 1 s', () => {
  expect([fading(900), fading(1500), fading(2100)]).toEqual([1, 0.5, 0])
})

test('rays without an echo are no points', () => {
  const points = echoes({ x: 1, y: 1, yaw: Math.PI / 2, first: 0, step: Math.PI / 2, ranges: [2, 0, 3] })
  expect([...points].map((n) => Math.round(n * 1e4) / 1e4)).toEqual([1, 3, 1, -2])
})

const map: MapDocument = {
  id: 'm',
  name: '',
  revision: 1,
  frame: { width: 100, height: 100, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
  grid: undefined,
  marks: [
    { id: 'c', kind: 'charging', name: 'Charger', at: { x: 2, y: 2, yaw: 0 } },
    {
      id: 'w',
      kind: 'virtualWall',
      name: '',
      points: [
        { x: 1, y: 3 },
        { x: 4, y: 3 },
        { x: 4, y: 7 },
      ],
    },
    {
      id: 'z',
      kind: 'forbiddenZone',
      name: 'Z',
      points: [
        { x: 0, y: 0 },
        { x: 5, y: 0 },
        { x: 5, y: 5 },
        { x: 0, y: 5 },
      ],
    },
  ],
}

test('flags are met before walls, walls before zones, points of the selected mark before all', () => {
  expect(hit(map, { x: 2.1, y: 2 }, 0.3)?.mark.id).toBe('c')
  expect(hit(map, { x: 3, y: 3.2 }, 0.3)?.mark.id).toBe('w')
  expect(hit(map, { x: 3, y: 4 }, 0.3)?.mark.id).toBe('z')
  expect(hit(map, { x: 4, y: 3 }, 0.3, 'w')).toMatchObject({ mark: { id: 'w' }, point: 1 })
  expect(hit(map, { x: 8, y: 8 }, 0.3)).toBeUndefined()
})

test('the list of elements says where and how large', () => {
  expect(elements(map)).toMatchObject([
    { id: 'c', at: { x: 2, y: 2 } },
    { id: 'w', metres: 7 },
    { id: 'z', m2: 25, at: { x: 2.5, y: 2.5 } },
  ])
})

test('the mark that lies on top is met where two of a kind overlap; a point too far from the hand is not', () => {
  const [, wall, zone] = map.marks
  if (!wall || !zone) throw new Error('no marks')
  const above = { ...map, marks: [...map.marks, { ...zone, id: 'above' }] }
  expect(hit(above, { x: 3, y: 4 }, 0.3)?.mark.id).toBe('above')
  expect(hit({ ...above, marks: [{ ...wall, id: 'below' }, ...above.marks] }, { x: 3, y: 3 }, 0.3)?.mark.id).toBe('w')
  expect(hit(map, { x: 3, y: 3 }, 0.3, 'w')).toEqual({ mark: wall })
})
