import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import dayjs from 'dayjs'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '../testing/test-stage'
import { Days } from './days'

afterEach(() => vi.unstubAllGlobals())

test('[rule.date.order] days that are chosen the wrong way round are put in order', async () => {
  const onChange = vi.fn()
  await stage(() => <Days from={undefined} to={undefined} onChange={onChange} />, { at: '/log', answers: {} })
  await userEvent.type(await screen.findByPlaceholderText('From'), '2026-03-09{Enter}')
  await userEvent.type(screen.getByPlaceholderText('To'), '2026-03-02{Enter}')
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith({ from: '2026-03-02', to: '2026-03-09' }))
})

test('a span that is asked for most is one press', async () => {
  const onChange = vi.fn()
  await stage(() => <Days from={undefined} to={undefined} onChange={onChange} />, { at: '/log', answers: {} })
  await userEvent.click(await screen.findByPlaceholderText('From'))
  await userEvent.click(await screen.findByText('Last 7 days'))
  const [from, to] = [dayjs().subtract(6, 'day'), dayjs()].map((day) => day.format('YYYY-MM-DD'))
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith({ from, to }))
})
