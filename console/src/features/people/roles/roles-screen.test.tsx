import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { GroupsScreen } from './groups-screen'
import { RolesScreen } from './roles-screen'

afterEach(() => vi.unstubAllGlobals())

const PRESET = { id: 16, name: 'Dealer', userId: null, preset: true, pageKeys: ['index', 'log'], buttonKeys: [] }
const OWN = { id: 100, name: 'Night crew', userId: 1, preset: false, pageKeys: ['index'], buttonKeys: [] }
const KEYS = ['index', 'device/index', 'user/role', 'user/index/role_group']

const roles = (id: string, answers: Record<string, unknown> = {}) =>
  stage(RolesScreen, {
    at: `/user/role?id=${id}`,
    keys: KEYS,
    answers: { '/user/role/list': { list: [PRESET, OWN] }, ...answers },
  })
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })

test('[route.user.role] a preset keeps its name and cannot be deleted; keys beyond the own stay in it', async () => {
  const { of } = await roles('16', { '/user/role/update': {} })
  expect((await box('Audit log')).disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
  await userEvent.click(await box('Devices'))
  await userEvent.click(await button('Save'))
  expect(of('/user/role/update')[0]?.payload).toEqual({ id: 16, keys: ['index', 'log', 'device/index'] })
})

test('a role of one’s own making is renamed and deleted', async () => {
  const { of, router } = await roles('100', { '/user/role/update': {}, '/user/role/delete': {} })
  const name = await screen.findByRole('textbox', { name: 'Role name' })
  await userEvent.type(name, ' 2')
  await userEvent.click(await button('Save'))
  expect(of('/user/role/update')[0]?.payload).toEqual({ id: 100, name: 'Night crew 2' })
  await userEvent.click(await button('Delete'))
  const question = await screen.findByRole('tooltip')
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  await vi.waitFor(() => expect(of('/user/role/delete')[0]?.payload).toEqual({ id: 100 }))
  await vi.waitFor(() => expect(router.state.location.search).toBe(''))
})

test('[rule.names.other] a new role needs a name', async () => {
  const { of } = await roles('new', { '/user/role/insert': { id: 101 } })
  expect((await button('Add')).disabled).toBe(true)
  await userEvent.type(await screen.findByRole('textbox', { name: 'Role name' }), 'Porters')
  await userEvent.click(await box('Devices'))
  await userEvent.click(await button('Add'))
  expect(of('/user/role/insert')[0]?.payload).toEqual({ name: 'Porters', pageKeys: ['device/index'], buttonKeys: [] })
})

test('[route.user.index.role_group] a group holds roles and keys; without any the way to the first one', async () => {
  const { of } = await stage(GroupsScreen, {
    at: '/user/index/role_group',
    keys: KEYS,
    answers: {
      '/user/role/list': { list: [PRESET, OWN] },
      '/user/role/group/list': { list: [] },
      '/user/role/group/insert': { id: 1 },
    },
  })
  await userEvent.click(await button('Add role group'))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Role group name' }), 'Floor team')
  await userEvent.click(await box('Night crew'))
  await userEvent.click(await box('Devices'))
  await userEvent.click(await button('Add'))
  expect(of('/user/role/group/insert')[0]?.payload).toEqual({
    name: 'Floor team',
    roleIds: [100],
    permissionKeys: ['device/index'],
  })
})
