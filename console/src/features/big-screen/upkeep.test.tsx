import { act, cleanup, render, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { live } from '@/shared/live/live'
import { useDimming, useDrift, useWatchdog } from './upkeep'

const MINUTE = 60_000
const EACH = 6 * MINUTE // a hundred cuts in ten hours: what 72 hours may bring
const AWAY = 2 * MINUTE // nothing answers
const NIGHT_CUT = 60 // at four in the morning it is loaded anew, too
const CUT = AWAY + MINUTE / 2 // the server answers, and no frame has come yet
const EVENING = new Date(2026, 10, 2, 22).getTime()

const Page = ({ reload }: { reload(): void }) => {
  useWatchdog(reload)
  return null
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a wall outlives a hundred cuts: it comes back from each by itself, and nothing piles up', async () => {
  vi.useFakeTimers({ now: EVENING })
  const since = () => (Date.now() - EVENING) % EACH
  const loads: number[] = []
  const load = () => {
    cleanup()
    loads.push(Date.now())
    render(<Page reload={load} />)
  }
  const connection = live.connection()
  vi.spyOn(live, 'connection').mockImplementation(() => {
    const cut = EACH - CUT
    const lastFrameAt = since() > cut ? Date.now() - since() + cut : Date.now()
    return { ...connection, lastFrameAt }
  })
  vi.stubGlobal('fetch', async () => {
    if (since() > EACH - CUT && since() <= EACH - CUT + AWAY) throw new TypeError('no network')
    return new Response('')
  })
  load()
  const timers = vi.getTimerCount()
  await vi.advanceTimersByTimeAsync(100 * EACH)
  const cuts = loads.slice(1).map((at) => Math.floor((at - EVENING) / EACH))
  expect(cuts.toSorted((a, b) => a - b)).toEqual([...Array(100).keys(), NIGHT_CUT].toSorted((a, b) => a - b))
  expect(vi.getTimerCount()).toBe(timers)
})

test('a wall moves round a square of three pixels, a corner a minute, so that nothing burns in', () => {
  vi.useFakeTimers({ now: EVENING })
  const { result } = renderHook(useDrift)
  const places = Array.from({ length: 8 }, () => {
    const place = result.current
    act(() => vi.advanceTimersByTime(MINUTE))
    return place
  })
  expect(new Set(places)).toEqual(new Set(['0 0', '3px 0', '3px 3px', '0 3px']))
  expect(places.slice(4)).toEqual(places.slice(0, 4))
  expect(places.every((place, minute) => place !== places[minute + 1])).toBe(true)
})

test('a wall is dim from nine in the evening to six, unless somebody wants it bright', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 2, 20, 59).getTime() })
  const { result } = renderHook(useDimming)
  const dim = () => result.current[0]
  expect(dim()).toBe(false)
  act(() => vi.advanceTimersByTime(MINUTE))
  expect(dim()).toBe(true)
  act(() => result.current[1].toggle())
  expect(dim()).toBe(false)
  act(() => result.current[1].toggle())
  act(() => vi.advanceTimersByTime(9 * 60 * MINUTE))
  expect(dim()).toBe(false)
})
