/** Who forgot the password asks for a link, and sets a new one by it; where no mails are sent it is said whom to ask. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { loadTexts } from '@/shared/i18n/i18n'
import { refusal, stage } from '@/widgets/testing/test-stage'
import { LoginPage } from './login-page'

afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

async function show(answers: Record<string, unknown>, mails = true) {
  const about = { version: '1', demo: false, languages: [], sso: null, mails }
  const Page = () => <LoginPage after="/index" onEnter={() => {}} />
  const staged = await stage(Page, { at: '/login', answers: { '/about': about, ...answers } })
  await loadTexts('login')
  return staged
}
const click = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('a link is asked for by login name, and the answer says the same of every name', async () => {
  const { of } = await show({ '/forgotPassword': {} })
  await click('Forgot your password?')
  await click('Send link')
  expect(of('/forgotPassword')).toHaveLength(0)
  await userEvent.type(screen.getByRole('textbox', { name: /Login name/ }), 'ann')
  await click('Send link')
  await screen.findByText(/^If this account exists and has an email address/)
  expect(of('/forgotPassword').map(({ payload }) => payload)).toEqual([{ account: 'ann' }])
  await click('Back to login')
  await screen.findByRole('button', { name: 'Log in' })
})

test('say whom to ask where no mails are sent', async () => {
  const { of } = await show({}, false)
  await vi.waitFor(() => expect(of('/about')).toHaveLength(1))
  await click('Forgot your password?')
  await screen.findByText(/^This installation sends no emails/)
  expect(screen.queryByRole('button', { name: 'Send link' })).toBeNull()
})

test('the link sets a new password, and leaves the URL', async () => {
  history.replaceState(null, '', '/login?redirect=%2Findex#reset=abc')
  const { of } = await show({ '/resetPassword': {} })
  const field = await screen.findByLabelText('New password')
  await userEvent.type(field, 'short')
  await click('Change password')
  expect(of('/resetPassword')).toHaveLength(0)
  await userEvent.type(field, '-but-longer')
  await click('Change password')
  await screen.findByText('The new password is set. Log in with it.')
  expect(of('/resetPassword')[0]?.payload).toEqual({ code: 'abc', newPassword: 'short-but-longer' })
  expect(location.href).toContain('/login?redirect=%2Findex')
  expect(location.hash).toBe('')
})

test('a link that is used says so', async () => {
  history.replaceState(null, '', '/login#reset=abc')
  await show({ '/resetPassword': refusal('This link was used already or is too old. Ask for a new one') })
  await userEvent.type(await screen.findByLabelText('New password'), 'long-enough-1')
  await click('Change password')
  expect((await screen.findByRole('alert')).textContent).toContain('This link was used already')
})
