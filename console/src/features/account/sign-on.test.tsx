import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { forgetSignedOn, setSignedOn } from '@/shared/session/signed-on'
import { refusal, stage } from '@/widgets/testing/test-stage'
import { AccountDialogs } from './account-dialogs'

afterEach(() => {
  vi.unstubAllGlobals()
  forgetSignedOn()
})

const Dialog = () => <AccountDialogs action="single-sign-on" onClose={() => undefined} />
const ANNA = { issuer: 'https://id.example', subject: 'anna', beganTime: '2026-11-21T10:00:00Z', lastTime: null }

test('ask for the password to connect, and show a refusal', async () => {
  const { of } = await stage(Dialog, {
    at: '/index',
    answers: { '/sso/mine': { list: [] }, '/sso/ask': refusal('Wrong password') },
  })
  const dialog = await screen.findByRole('dialog')
  const connect = await within(dialog).findByRole('button', { name: 'Connect' })
  await userEvent.click(connect)
  expect(of('/sso/ask')).toHaveLength(0)
  await userEvent.type(within(dialog).getByLabelText('Password'), 'wrong')
  await userEvent.click(connect)
  await within(dialog).findByText('Wrong password')
  expect(of('/sso/ask')[0]?.payload).toMatchObject({ password: 'wrong' })
})

test('whom the account is connected with is shown, and cut by one click', async () => {
  const { of } = await stage(Dialog, {
    at: '/index',
    answers: { '/sso/mine': { list: [ANNA] }, '/sso/disconnect': {} },
  })
  await screen.findByText('https://id.example')
  expect(screen.getByText('anna')).toBeDefined()
  expect(screen.getByText('Never used')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Disconnect' }))
  await vi.waitFor(() => expect(of('/sso/disconnect')[0]?.payload).toEqual({}))
})

test('show the result of connecting once', async () => {
  setSignedOn({ problem: 'Another account is connected' })
  const { of } = await stage(Dialog, { at: '/index', answers: { '/sso/mine': { list: [] } } })
  await screen.findByText('Another account is connected')
  expect(of('/sso/connect')).toHaveLength(0)
})
