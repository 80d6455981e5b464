import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { ShadowsScreen } from './shadows-screen'

afterEach(() => vi.unstubAllGlobals())

test('[route.user.userShadow] a shadow of one’s own account is made as one', async () => {
  const { of } = await stage(ShadowsScreen, {
    at: '/user/userShadow',
    keys: ['user/index', 'user/userShadow', 'user/index/add'],
    answers: {
      '/user/role/list': { list: [] },
      '/user/selectUserList': { list: [], total: 0, pageNum: 1 },
      '/user/insertUser': { userId: 9, password: 'once-told-1' },
    },
  })
  await screen.findByText('No shadow users yet.')
  expect(of('/user/selectUserList')[0]?.payload).toMatchObject({ isShadow: 1 })
  const [add] = screen.getAllByRole('button', { name: 'Add shadow user' })
  if (add) await userEvent.click(add)
  const dialog = await screen.findByRole('dialog')
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Login name' }), 'deputy')
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Deputy')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }))
  await screen.findByText('once-told-1')
  expect(of('/user/insertUser')[0]?.payload).toMatchObject({ account: 'deputy', isShadow: 1 })
})
