import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
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
