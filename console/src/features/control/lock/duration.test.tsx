import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { Duration } from './duration'

afterEach(() => vi.unstubAllGlobals())

test('[rule.control.duration] [const.control_request_durations] five durations can be chosen, the last without an end', async () => {
  const chosen = vi.fn()
  await stage(() => <Duration value={30} onChange={chosen} />, { at: '/control', answers: {} })
  await userEvent.click(await screen.findByRole('combobox'))
  const options = [...document.querySelectorAll('.ant-select-item-option')]
  expect(options.map(({ textContent }) => textContent?.replace(/\s/g, ' '))).toEqual([
    '10 min',
    '30 min',
    '1 h',
    '2 h',
    'No time limit',
  ])
  await userEvent.click(options[3] as Element)
  expect(chosen.mock.calls[0]?.[0]).toBe(120)
})
