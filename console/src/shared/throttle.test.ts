import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a throttled function runs at once, and once more for all that came too soon', () => {
  const run = vi.fn()
  const throttled = throttle(run, 10)
  for (let calls = 0; calls < 5; calls += 1) throttled()
  expect(run).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(10)
  expect(run).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(100)
  expect(run).toHaveBeenCalledTimes(2)
})

test('a run that waits is forgotten', () => {
  const run = vi.fn()
  const throttled = throttle(run, 10)
  throttled()
  throttled()
  throttled.cancel()
  vi.advanceTimersByTime(100)
  expect(run).toHaveBeenCalledTimes(1)
})
