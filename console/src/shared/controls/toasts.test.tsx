import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notice } from '../ui/notice'
import { Toasts } from './toasts'

beforeEach(() => {
  vi.useFakeTimers()
  HTMLElement.prototype.showPopover = () => {}
  HTMLElement.prototype.hidePopover = () => {}
})
afterEach(() => void vi.useRealTimers())

test('[const.error_toast_duration] an error is shown for five seconds', () => {
  render(<Toasts />)
  act(() => notice('error', 'Could not save the change'))
  act(() => void vi.advanceTimersByTime(4999))
  expect(screen.getByRole('alert', { hidden: true }).textContent).toContain('Could not save the change')
  act(() => void vi.advanceTimersByTime(1))
  expect(screen.queryByRole('alert', { hidden: true })).toBeNull()
})
