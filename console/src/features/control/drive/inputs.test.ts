import { afterEach, expect, test } from 'vitest'
import type { Stick } from './driver'
import { listenKeys, padStick } from './inputs'

let stop = () => {}
afterEach(() => stop())

function held() {
  const sticks: (Stick | undefined)[] = []
  stop = listenKeys({ hold: (_, stick) => sticks.push(stick), letGo: () => sticks.push(undefined) })
  return sticks
}
const key = (type: 'keydown' | 'keyup', code: string, on: EventTarget = window, more: KeyboardEventInit = {}) =>
  on.dispatchEvent(new KeyboardEvent(type, { code, bubbles: true, ...more }))

test('keys add up, and all of them let go stop', () => {
  const sticks = held()
  key('keydown', 'KeyW')
  key('keydown', 'KeyW', window, { repeat: true })
  key('keydown', 'ArrowRight')
  key('keyup', 'KeyW')
  key('keyup', 'ArrowRight')
  expect(sticks).toEqual([{ x: 0, y: 1 }, { x: 1, y: 1 }, { x: 1, y: 0 }, undefined])
})

test('keys that are typed somewhere, or with Ctrl, drive nobody', () => {
  const sticks = held()
  const field = document.body.appendChild(document.createElement('input'))
  key('keydown', 'KeyW', field)
  key('keydown', 'KeyW', window, { ctrlKey: true })
  field.remove()
  expect(sticks).toEqual([])
})

test('let go of the sticks when nobody listens any more', () => {
  const sticks = held()
  key('keydown', 'KeyS')
  stop()
  key('keydown', 'KeyW')
  expect(sticks.at(-1)).toBeUndefined()
})

test.each([
  [[null], undefined],
  [[{ connected: true, axes: [0.1, 0.05] }], undefined],
  [[{ connected: false, axes: [1, 0] }], undefined],
  [[null, { connected: true, axes: [0, -0.8] }], { x: 0, y: 0.8 }],
])('a pad’s stick: %#', (pads, stick) => {
  expect(padStick(pads)).toEqual(stick)
})

test('a window that loses the focus forgets which keys were down', () => {
  const sticks = held()
  key('keydown', 'KeyW')
  window.dispatchEvent(new Event('blur'))
  key('keydown', 'KeyD')
  expect(sticks.at(-1)).toEqual({ x: 1, y: 0 })
})
