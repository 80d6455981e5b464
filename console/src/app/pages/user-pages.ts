import { IconMasksTheater, IconShieldCheck, IconUsers, IconUsersGroup } from '@tabler/icons-react'
import type { Page } from './page'

export const USER_PAGES: readonly Page[] = [
  {
    path: '/user/index',
    key: 'user/index',
    title: 'users',
    menu: { icon: IconUsers, group: 'user-management' },
    cache: true,
    texts: ['people', 'permission'],
    load: async () => (await import('@/features/people/users/users-screen')).UsersScreen,
  },
  {
    path: '/user/userShadow',
    key: 'user/userShadow',
    title: 'shadow-users',
    menu: { icon: IconMasksTheater, group: 'user-management' },
    cache: true,
    texts: ['people', 'permission'],
    load: async () => (await import('@/features/people/users/shadows-screen')).ShadowsScreen,
  },
  {
    path: '/user/role',
    key: 'user/role',
    title: 'roles',
    menu: { icon: IconShieldCheck, group: 'user-management' },
    cache: true,
    texts: ['people', 'permission'],
    load: async () => (await import('@/features/people/roles/roles-screen')).RolesScreen,
  },
  {
    path: '/user/index/role_group',
    key: 'user/index/role_group',
    title: 'role-groups',
    menu: { icon: IconUsersGroup, group: 'user-management' },
    cache: true,
    texts: ['people', 'permission'],
    load: async () => (await import('@/features/people/roles/groups-screen')).GroupsScreen,
  },
]
