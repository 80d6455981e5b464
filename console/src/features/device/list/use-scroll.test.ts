import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { isFarDown, nearEnd, useScroll } from './use-scroll'

test('[const.infinite_scroll_trigger_distance] the next page is asked for less than 600 px before the end', () => {
  const at = (scrollTop: number) => nearEnd({ scrollTop, clientHeight: 800, scrollHeight: 3000 })
  expect([at(1600), at(1601)]).toEqual([false, true])
})

test('[const.back_to_top] the button comes after more than 100 px, not at 100', () => {
  expect([isFarDown({ scrollTop: 100 }), isFarDown({ scrollTop: 101 })]).toEqual([false, true])
})

test('[const.scroll_throttle] a scrolled list looks at once and then every 10 ms, and after the last move', () => {
  vi.useFakeTimers()
  const element = document.createElement('div') // without a height: always near its end
  const more = vi.fn()
  renderHook(() => useScroll({ current: element }, more, 30))
  more.mockClear()
  for (let moves = 0; moves < 20; moves += 1) element.dispatchEvent(new Event('scroll'))
  expect(more).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(9)
  expect(more).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(more).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})
