import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { onNotice } from '@/shared/ui/notice'
import { refusal, stage } from '@/widgets/testing/test-stage'
import { AccountDialogs } from './account-dialogs'

afterEach(() => vi.unstubAllGlobals())

test('[rule.password.required, dialog.edit_password] change one’s own password by the old one and a new one that is long enough', async () => {
  const closed = vi.fn()
  const { of } = await stage(() => <AccountDialogs action="change-password" onClose={closed} />, {
    at: '/index',
    answers: { '/user/updatePassword': {} },
  })
  const dialog = await screen.findByRole('dialog')
  const send = within(dialog).getByRole('button', { name: 'Change password' })
  await userEvent.type(within(dialog).getByLabelText('New password'), 'short')
  await userEvent.click(send)
  expect(within(dialog).getAllByRole('alert')).toHaveLength(2)
  expect(of('/user/updatePassword')).toHaveLength(0)
  await userEvent.type(within(dialog).getByLabelText('Current password'), 'old-one')
  await userEvent.type(within(dialog).getByLabelText('New password'), '-no-more')
  await userEvent.click(send)
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  expect(of('/user/updatePassword')[0]?.payload).toMatchObject({ password: 'old-one', newPassword: 'short-no-more' })
})

test('[dialog.clear_token, err.text.clear_token_success, err.text.clear_token_failure] end one’s other sessions without a target', async () => {
  const texts: string[] = []
  const stop = onNotice(({ text }) => void texts.push(text))
  let answer: () => unknown = () => {
    throw new TypeError('no network')
  }
  const { of } = await stage(() => <AccountDialogs action="clear-token" onClose={() => undefined} />, {
    at: '/index',
    answers: { '/user/cleanToken': () => answer() },
  })
  await userEvent.click(await screen.findByRole('button', { name: /End all sessions$/ }))
  expect((await screen.findByRole('alert')).textContent).toBe('Could not end the sessions')
  answer = () => ({ sessions: 2 })
  await userEvent.click(await screen.findByRole('button', { name: /End all sessions$/ }))
  await vi.waitFor(() => expect(texts).toEqual(['2 sessions ended']))
  expect(of('/user/cleanToken')[0]?.payload).toEqual({})
  stop()
})

const ME = {
  ...{ userId: 3, account: 'user', name: 'User', phone: '', email: '', url: '', levelDepth: 3, role: '[11]' },
  ...{
    emailToTask: 0,
    emailToWarn: 1,
    emailToTaskReport: 0,
    groups: [],
    keys: null,
    parentUser: 2,
    parentName: 'Dealer',
  },
  ...{ shadowId: null, mustChange: false, childCount: 0, createTime: '2026-03-05T14:30:00Z', childs: [] },
}

test('[rule.user.email, rule.profile.email, rule.profile.name, err.text.mailbox_format, dialog.edit_data] validate one’s own data before they are sent, and send a test mail to the address in the field', async () => {
  const closed = vi.fn()
  const { of } = await stage(() => <AccountDialogs action="edit-profile" onClose={closed} />, {
    at: '/index',
    answers: { '/user/me': ME, '/user/updateUserInfo': {}, '/user/testMail': { email: 'a@b.com' } },
  })
  const email = await screen.findByRole('textbox', { name: /^Email/ })
  const mail = screen.getByRole('button', { name: 'Send test email' })
  expect(mail).toHaveProperty('disabled', true)
  await userEvent.type(email, 'a@b')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Enter email addresses such as a@b.com,c@d.org')
  expect(of('/user/updateUserInfo')).toHaveLength(0)
  await userEvent.type(email, '.com')
  const name = screen.getByRole('textbox', { name: /^Name/ })
  await userEvent.clear(name)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Enter a name')
  expect(of('/user/updateUserInfo')).toHaveLength(0)
  await userEvent.type(name, 'User')
  await userEvent.click(mail)
  await vi.waitFor(() => expect(of('/user/testMail')[0]?.payload).toEqual({ email: 'a@b.com' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Unfinished tasks' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  expect(of('/user/updateUserInfo')[0]?.payload).toEqual({
    ...{ name: 'User', phone: '', email: 'a@b.com', emailToTask: 1, emailToWarn: 1, emailToTaskReport: 0 },
  })
})

test('[rule.user.phone, rule.user.email_empty] a phone number has its digits; without an email address the rest is saved', async () => {
  const closed = vi.fn()
  const { of } = await stage(() => <AccountDialogs action="edit-profile" onClose={closed} />, {
    at: '/index',
    answers: { '/user/me': ME, '/user/updateUserInfo': {} },
  })
  const phone = await screen.findByRole('textbox', { name: /^Phone/ })
  await userEvent.type(phone, '1380013800')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('11 digits, or + with the country code, or leave it empty')
  expect(of('/user/updateUserInfo')).toHaveLength(0)
  await userEvent.type(phone, '0')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  expect(of('/user/updateUserInfo')[0]?.payload).toMatchObject({ phone: '13800138000', email: '' })
})

test('[dialog.edit_avatar, err.text.select_picture, rule.avatar.chosen] without a picture there is nothing to save', async () => {
  await stage(() => <AccountDialogs action="avatar" onClose={() => undefined} />, { at: '/index', answers: {} })
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Please select a picture')
})

test('a session of one’s own ends, but not the one that asks', async () => {
  const row = (uuid: string, present: boolean) => ({
    ...{ uuid, present, address: '10.0.0.7', language: 'en' },
    ...{ beganTime: '2026-03-05T14:30:00Z', lastTime: '2026-03-05T15:30:00Z' },
  })
  let list = [row('a', true), row('b', false)]
  const { of } = await stage(() => <AccountDialogs action="own-sessions" onClose={() => undefined} />, {
    at: '/index',
    answers: {
      '/user/sessions': () => ({ list }),
      '/user/endSession': () => {
        list = [row('a', true)]
        return {}
      },
    },
  })
  await screen.findByText('This session')
  await userEvent.click(screen.getByRole('button', { name: 'End session' }))
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'End session' })).toBeNull())
  expect(of('/user/endSession')[0]?.payload).toEqual({ uuid: 'b' })
})

const AGED = 'Enter your password: you logged in more than 15 minutes ago'

/** As the server answers a session that began long ago. */
const unlessProven = (answer: unknown) => (payload: { password?: string }) =>
  payload.password === 'right-one' ? answer : refusal(`Password: ${AGED}`, 'password')

test('type one’s own password where the server asks for it before it ends a session', async () => {
  const row = (uuid: string, present: boolean) => ({
    ...{ uuid, present, address: '10.0.0.7', language: 'en' },
    ...{ beganTime: '2026-03-05T14:30:00Z', lastTime: '2026-03-05T15:30:00Z' },
  })
  const { of } = await stage(() => <AccountDialogs action="own-sessions" onClose={() => undefined} />, {
    at: '/index',
    answers: { '/user/sessions': { list: [row('a', true), row('b', false)] }, '/user/endSession': unlessProven({}) },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'End session' }))
  await screen.findByText(AGED)
  const password = screen.getByLabelText('Password')
  expect(document.activeElement).toBe(password)
  await userEvent.type(password, 'right-one{Enter}')
  await vi.waitFor(() => expect(of('/user/endSession').at(-1)?.payload).toEqual({ uuid: 'b', password: 'right-one' }))
  await vi.waitFor(() => expect(screen.queryByText(AGED)).toBeNull())
})

test('[rule.profile.email] a changed email address is sent again with the password that the server asks for', async () => {
  const closed = vi.fn()
  const { of } = await stage(() => <AccountDialogs action="edit-profile" onClose={closed} />, {
    at: '/index',
    answers: { '/user/me': ME, '/user/updateUserInfo': unlessProven({}) },
  })
  await userEvent.type(await screen.findByRole('textbox', { name: /^Email/ }), 'a@b.com')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(AGED)
  await userEvent.type(screen.getByLabelText('Password'), 'right-one')
  await userEvent.click(screen.getByRole('button', { name: /Save$/ }))
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  expect(of('/user/updateUserInfo').at(-1)?.payload).toMatchObject({ email: 'a@b.com', password: 'right-one' })
})

test('an API key has a name and some of the own permissions; its secret is shown once', async () => {
  const { of } = await stage(() => <AccountDialogs action="api-keys" onClose={() => undefined} />, {
    at: '/index',
    keys: ['device/index', 'device/report'],
    answers: {
      '/user/apiKey/list': { list: [] },
      '/user/apiKey/insert': { id: 'k', secret: 'once-told', expireTime: '2026-06-03T14:30:00Z' },
    },
  })
  await screen.findByText('No API keys yet.')
  await userEvent.click(screen.getByRole('button', { name: 'Add API key' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Add' }))
  expect(screen.getAllByRole('alert')).toHaveLength(2)
  expect(screen.queryByRole('checkbox', { name: 'Maps' })).toBeNull() // not held
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' Nightly ')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Task reports' }))
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  await screen.findByText('once-told')
  expect(of('/user/apiKey/insert')[0]?.payload).toEqual({ name: 'Nightly', days: 90, keys: ['device/report'] })
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await vi.waitFor(() => expect(screen.queryByText('once-told')).toBeNull())
})

test('[dialog.clear_data, err.text.clear_data_confirm, err.text.clear_data_success] old data are counted first and go only after that', async () => {
  const answer = (removed: boolean) => ({
    ...{ before: '2025-11-21T00:00:00Z', removed },
    list: [
      { kind: 'report', kindName: 'Task reports', count: 1200 },
      { kind: 'message', kindName: 'Messages', count: 3 },
    ],
  })
  const { of } = await stage(() => <AccountDialogs action="clear-data" onClose={() => undefined} />, {
    at: '/index',
    answers: { '/user/cleanCache': ({ confirm }: Record<string, unknown>) => answer(confirm === true) },
  })
  await screen.findByText('1,200')
  expect(of('/user/cleanCache').map(({ payload }) => payload)).toEqual([{ confirm: false }])
  await userEvent.click(screen.getByRole('button', { name: 'Clear old data' }))
  await screen.findByText('1,203 entries deleted')
  expect(of('/user/cleanCache').at(-1)?.payload).toEqual({ confirm: true })
  expect(screen.queryByRole('button', { name: 'Clear old data' })).toBeNull()
})

test('[err.text.clear_data_error, err.text.modify_failed] name the action that failed when nothing answers', async () => {
  const broken = () => {
    throw new TypeError('no network')
  }
  const counts = { before: '2025-11-21T00:00:00Z', removed: false, list: [{ kind: 'report', kindName: 'x', count: 1 }] }
  await stage(() => <AccountDialogs action="clear-data" onClose={() => undefined} />, {
    at: '/index',
    answers: { '/user/cleanCache': ({ confirm }: Record<string, unknown>) => (confirm ? broken() : counts) },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Clear old data' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Could not clear old data')
  cleanup()

  await stage(() => <AccountDialogs action="change-password" onClose={() => undefined} />, {
    at: '/index',
    answers: { '/user/updatePassword': broken },
  })
  await userEvent.type(await screen.findByLabelText('Current password'), 'old-one')
  await userEvent.type(screen.getByLabelText('New password'), 'quite-another')
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Modify failed')
})

test('offer nothing to clear where nothing is old', async () => {
  await stage(() => <AccountDialogs action="clear-data" onClose={() => undefined} />, {
    at: '/index',
    answers: { '/user/cleanCache': { before: '2025-11-21T00:00:00Z', removed: false, list: [] } },
  })
  await screen.findByText('No data older than 21 Nov 2025.')
  expect(screen.queryByRole('button', { name: 'Clear old data' })).toBeNull()
})
