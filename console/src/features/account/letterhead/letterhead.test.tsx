import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { AccountDialogs } from '../account-dialogs'

const LOGO = `/api/public/letterheadLogo/${'a'.repeat(32)}`
const AROUND = { '/user/quota': { list: [] } }

afterEach(() => vi.unstubAllGlobals())

test('logo and colour are shown on paper and saved together', async () => {
  const closed = vi.fn()
  const { of } = await stage(() => <AccountDialogs action="letterhead" onClose={closed} />, {
    at: '/index',
    answers: {
      ...AROUND,
      '/taskReport/letterhead': {
        letterhead: { logo: LOGO, colour: '#1d3f94', monthly: false, updateTime: '2026-11-20T19:05:00Z' },
        mailbox: false,
      },
      '/taskReport/updateLetterhead': {},
    },
  })
  await screen.findByRole('img', { name: 'Head of a report on paper' })
  const dialog = within(screen.getByRole('dialog'))
  const paper = dialog.getByRole('img', { name: 'Head of a report on paper' })
  expect(paper.querySelector('image')?.getAttribute('href')).toBe(LOGO)
  expect(dialog.getByText(/no email address yet/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Usual colour' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Remove logo' }))
  expect(paper.querySelector('image')).toBeNull()
  await userEvent.click(dialog.getByRole('switch', { name: /Month by email/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  expect(of('/taskReport/updateLetterhead')[0]?.payload).toEqual({
    ...{ logo: '', colour: '', monthly: true, updateTime: '2026-11-20T19:05:00Z' },
  })
})
