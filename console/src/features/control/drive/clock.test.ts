import { expect, test } from 'vitest'
import { createClock } from './clock'

const AHEAD = 3_600_000 // ms that the robot's clock is before ours

function stand() {
  let now = 1000
  let ahead = AHEAD
  const clock = createClock(() => now)
  /** Asks; the robot answers after `there` ms, and the page reads it `back` ms later. */
  const answer = (outward: number, back: number) => {
    const finish = clock.ask()
    now += outward
    const at = now + ahead
    now += back
    finish(at)
  }
  const error = () => (clock.read() ?? Number.NaN) - (now + ahead)
  return { clock, answer, error, set: (by: number) => (ahead += by) }
}

test('assume nothing before the robot sends a state', () => {
  const { clock } = stand()
  expect(clock.read()).toBeUndefined()
  clock.ask()(undefined)
  expect(clock.read()).toBeUndefined()
})

test('an answer that was read late is corrected by the next quick one, and spoils none before it', () => {
  const { answer, error } = stand()
  answer(20, 1500)
  expect(error()).toBe(-740)
  answer(10, 10)
  expect(Math.abs(error())).toBeLessThanOrEqual(10)
  answer(2000, 5)
  answer(5, 2000)
  expect(Math.abs(error())).toBeLessThanOrEqual(10)
})

test('answers that were late on either way meet in the middle', () => {
  const { answer, error } = stand()
  answer(4, 900)
  answer(900, 6)
  expect(Math.abs(error())).toBeLessThanOrEqual(5)
})

test.each([-5000, 5000])('a clock that was set by %i ms is believed', (by) => {
  const { answer, error, set } = stand()
  answer(10, 10)
  set(by)
  answer(30, 30)
  expect(error()).toBe(0)
})
