import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { usePreferences } from '@/shared/theme/preferences'
import { stage } from '@/widgets/testing/test-stage'
import { UsersScreen } from './users-screen'

afterEach(() => vi.unstubAllGlobals())

const row = (userId: number, change: Record<string, unknown> = {}) => ({
  ...{ userId, account: `acc${userId}`, name: `Name ${userId}`, phone: '', email: '', url: '' },
  ...{ emailToTask: 0, emailToWarn: 0, emailToTaskReport: 0, levelDepth: 4, role: '[11]', groups: [], keys: null },
  ...{ parentUser: 3, parentName: 'User', shadowId: null, mustChange: false, childCount: 0 },
  createTime: '2026-11-21T14:00:00Z',
  ...change,
})
const listed = (list: unknown[]) => ({ list, total: list.length, pageNum: 1 })
const ROLES = { list: [{ id: 11, name: 'x', userId: null, preset: true, pageKeys: ['index'], buttonKeys: [] }] }
const ALL = [
  ...['index', 'device/index', 'user/index', 'user/index/add', 'user/index/edit', 'user/index/delete'],
  ...['user/index/permission', 'user/index/init_password'],
]

const show = (answers: Record<string, unknown> = {}, more: { keys?: string[]; level?: number; at?: string } = {}) =>
  stage(UsersScreen, {
    at: '/user/index',
    keys: ALL,
    ...more,
    answers: {
      '/user/role/list': ROLES,
      '/user/role/group/list': { list: [] },
      '/user/selectUserInfo': listed([row(7)]),
      '/user/selectUserList': listed([row(7)]),
      ...answers,
    },
  })

test.each([
  [1, 'Add dealer'],
  [2, 'Add user'],
  [3, 'Add sub-user'],
  [4, undefined],
])('[rule.user.create_level] level %i makes: %s', async (level, word) => {
  await show({}, { level })
  await screen.findByText('Name 7')
  expect(screen.queryByRole('button', { name: /^Add/ })?.textContent).toBe(word)
})

test.each([
  [1, ['All levels', 'Administrator', 'Dealer', 'User', 'Sub-user']],
  [2, ['All levels', 'User', 'Sub-user']],
  [4, undefined],
])('[rule.user.search_levels] level %i may search %s', async (level, words) => {
  await show({}, { level })
  await screen.findByText('Name 7')
  const group = screen.queryByRole('group', { name: 'Level' })
  expect(
    group
      ? within(group)
          .getAllByRole('button')
          .map((cell) => cell.textContent)
      : undefined,
  ).toEqual(words)
})

test('a level of the tree is asked for when it is unfolded', async () => {
  const { of } = await show({
    '/user/selectUserInfo': ({ userId }: Record<string, unknown>) =>
      listed(userId === 3 ? [row(7, { childCount: 1 })] : [row(8, { parentUser: 7 })]),
  })
  const fold = await screen.findByRole('button', { name: '1 · Sub-users of Name 7' })
  expect(of('/user/selectUserInfo')).toHaveLength(1)
  await userEvent.click(fold)
  expect(await screen.findByText('Name 8')).toBeDefined()
  expect(of('/user/selectUserInfo')[1]?.payload.userId).toBe(7)
})

test('a search asks for words and levels, and stands in the address', async () => {
  const { of } = await show({}, { level: 2, at: '/user/index?text=ann&levels=2,4' })
  await screen.findByText('Name 7')
  expect(of('/user/selectUserList')[0]?.payload).toMatchObject({ keyword: 'ann', levels: [4] })
})

test.each([
  [['user/index'], []],
  [
    ['user/index', 'user/index/edit'],
    ['Edit: Name 7', 'More: Name 7'],
  ],
  [ALL, ['Edit: Name 7', 'Permission: Name 7', 'More: Name 7']],
])('a row offers what the keys %j allow', async (keys, names) => {
  await show({}, { keys })
  await screen.findByText('Name 7')
  const buttons = screen.queryAllByRole('button', { name: /Name 7$/ })
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(names)
})

test('[rule.user.login_name] [rule.user.name] send no new account with wrong fields, and show its password once', async () => {
  const { of } = await show({ '/user/insertUser': { userId: 9, password: 'once-told-1' } })
  await userEvent.click(await screen.findByRole('button', { name: 'Add sub-user' }))
  const dialog = await screen.findByRole('dialog')
  const field = (name: string) => within(dialog).getByRole('textbox', { name })
  const send = within(dialog).getByRole('button', { name: 'Add' })
  await userEvent.type(field('Login name'), 'robot_01')
  await userEvent.click(send)
  expect(
    within(dialog)
      .getAllByRole('alert')
      .map((alert) => alert.textContent),
  ).toEqual(['Letters and digits only', 'Enter a name', 'Form validation failed, please check'])
  expect(of('/user/insertUser')).toHaveLength(0)
  await userEvent.clear(field('Login name'))
  await userEvent.type(field('Login name'), 'robot01')
  await userEvent.type(field('Name'), 'Ann')
  await userEvent.click(send)
  expect(await screen.findByText('once-told-1')).toBeDefined()
  expect(of('/user/insertUser')[0]?.payload).toMatchObject({ account: 'robot01', name: 'Ann', role: [11] })
})

test('permissions: chosen one by one they begin with what the roles bring, and only held keys are sent', async () => {
  const { of } = await show({ '/user/updateUserPermission': {} })
  await userEvent.click(await screen.findByRole('button', { name: 'Permission: Name 7' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByText('Individually'))
  await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'Devices' }))
  expect(within(dialog).queryByRole('checkbox', { name: 'Device log' })).toBeNull()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(of('/user/updateUserPermission')[0]?.payload).toEqual({ targetUserId: 7, keys: ['index', 'device/index'] })
})

test('delete an account after its login name was typed, and show a refusal in the dialog', async () => {
  const { of } = await show({
    '/user/deleteUserInfo': () =>
      Response.json({
        message: { code: 40000, message: 'targetUserId: Users stand below this one: 2' },
        data: { field: 'targetUserId', count: 2 },
      }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'More: Name 7' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog')
  const send = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Delete' })
  expect(send.disabled).toBe(true)
  await userEvent.type(within(dialog).getByRole('textbox'), 'acc7')
  await userEvent.click(send)
  expect((await within(dialog).findByRole('alert')).textContent).toBe('Users stand below this one: 2')
  expect(of('/user/deleteUserInfo')[0]?.payload).toEqual({ targetUserId: 7 })
})

test('the sheet has every account of every level, each before those below it', async () => {
  const rows = [row(7), row(8), row(9, { parentUser: 7, levelDepth: 5 }), row(10, { parentUser: 8, levelDepth: 5 })]
  const { of } = await show({
    '/user/selectUserInfo': listed([row(7, { childCount: 1 }), row(8, { childCount: 1 })]),
    '/user/selectUserList': ({ currentPage }: Record<string, unknown>) => ({
      list: currentPage === 1 ? rows.slice(0, 3) : rows.slice(3),
      total: rows.length,
    }),
  })
  const sheets: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    sheets.push(blob as Blob)
    return 'blob:sheet'
  })
  usePreferences.setState({ exportForm: 'csv' })
  await userEvent.click(await screen.findByRole('button', { name: 'Export user.csv' }))
  await vi.waitFor(() => expect(sheets).toHaveLength(1))
  const lines = (await sheets[0]?.text())?.trim().split('\r\n').slice(1)
  expect(lines?.map((line) => line.split(',')[0])).toEqual(['Name 7', 'Name 9', 'Name 8', 'Name 10'])
  expect(of('/user/selectUserList').map(({ payload }) => payload.currentPage)).toEqual([1, 2])
})
