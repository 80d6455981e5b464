import { act, render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { NOTICE_MS, notice } from '../ui/notice'
import { Toasts } from './toasts'

test('[const.error_toast_duration] a message is over five seconds after the frame that shows it, and not before anybody saw it', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers().unstubAllGlobals())
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  render(<Toasts />)
  act(() => notice('error', 'Could not save the change'))
  act(() => void vi.advanceTimersByTime(2 * NOTICE_MS)) // a tab in the background draws nothing
  expect(screen.queryByText('Could not save the change')).not.toBeNull()
  act(() => frames.forEach((frame) => void frame(0)))
  act(() => void vi.advanceTimersByTime(NOTICE_MS - 1))
  expect(screen.queryByText('Could not save the change')).not.toBeNull()
  act(() => void vi.advanceTimersByTime(1))
  expect(screen.queryByText('Could not save the change')).toBeNull()
})
