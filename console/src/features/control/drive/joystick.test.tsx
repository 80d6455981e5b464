/** The stick holds the robot only as long as a pointer holds the stick. */
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Driver } from './driver'
import { Joystick } from './joystick'

beforeEach(() => {
  Object.assign(Element.prototype, { setPointerCapture: () => {} })
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 100, 100))
})

function stand() {
  const driver = { hold: vi.fn(), letGo: vi.fn() }
  render(<Joystick driver={driver as unknown as Driver} disabled={false} knob={{ current: null }} />)
  const stick = screen.getByRole('button')
  fireEvent.pointerDown(stick, { button: 0, pointerId: 1, clientX: 50, clientY: 0 })
  return { driver, stick }
}

test('a stick that is pressed at its top drives forward', () => {
  const { driver } = stand()
  expect(driver.hold).toHaveBeenCalledOnce()
  expect(driver.hold).toHaveBeenLastCalledWith('stick', { x: 0, y: 1 })
})

test.each([
  ['pointerUp', 'is lifted'],
  ['pointerCancel', 'is taken by the browser'],
  ['lostPointerCapture', 'is lost'],
] as const)('%s: a pointer that %s lets go', (event, _how) => {
  const { driver, stick } = stand()
  fireEvent[event](stick, { pointerId: 1 })
  expect(driver.letGo).toHaveBeenCalledWith('stick')
  fireEvent.pointerMove(stick, { pointerId: 1, clientX: 60, clientY: 10 })
  expect(driver.hold).toHaveBeenCalledOnce()
})
