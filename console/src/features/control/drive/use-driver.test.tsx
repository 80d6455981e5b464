/** Whatever takes the page out of a person's hands stops the robot at once. */
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDriver } from './use-driver'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => new Promise(() => {})) // a relay that is slow to answer
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function drive() {
  const knob = vi.fn()
  const props = { deviceId: 1, armed: true, limits: { linear: 1, angular: 1 }, onHeld: knob, onRefused: vi.fn() }
  const hook = renderHook(useDriver, { initialProps: props })
  const driver = hook.result.current
  act(() => driver.hold('stick', { x: 0, y: 1 }))
  expect(driver.driving).toBe(true)
  return { driver, hook, props, knob }
}

test('a window that loses the focus stops the robot', () => {
  const { driver, knob } = drive()
  dispatchEvent(new Event('blur'))
  expect(driver.driving).toBe(false)
  expect(knob).toHaveBeenLastCalledWith({ x: 0, y: 0 })
})

test('a page that is left stops the robot', () => {
  const { driver } = drive()
  dispatchEvent(new Event('pagehide'))
  expect(driver.driving).toBe(false)
})

test('a page that is hidden stops the robot; one that is shown again does not', () => {
  const { driver } = drive()
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(driver.driving).toBe(true)
  hidden.mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(driver.driving).toBe(false)
})

test('control that ends stops the robot', () => {
  const { driver, hook, props } = drive()
  hook.rerender({ ...props, armed: false })
  expect(driver.driving).toBe(false)
})

test('a part of the page that goes away stops the robot', () => {
  const { driver, hook } = drive()
  hook.unmount()
  expect(driver.driving).toBe(false)
})
