/**
 * Every screen under the main layout: its path, permission key, title, place in the menu and file. Menu, breadcrumbs,
 * tabs, titles and the router all read this list. A screen that is not built yet does not stand here.
 */

import {
  type Icon,
  IconAd2,
  IconCalendarEvent,
  IconClipboardText,
  IconComponents,
  IconDeviceRemote,
  IconElevator,
  IconFileDollar,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMap2,
  IconMasksTheater,
  IconMessage,
  IconPackages,
  IconRobot,
  IconServer,
  IconServer2,
  IconShieldCheck,
  IconStack2,
  IconTool,
  IconUsers,
  IconUsersGroup,
  IconWorld,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Keys } from '@/shared/i18n/keys'
import type { Pack } from '@/shared/i18n/text'

export interface Page {
  /** Name of its route, where the specification gives one. */
  readonly name?: string
  /** Full path, with the router's parameters. */
  readonly path: string
  /** The permission key that opens it; '/' plus the key is the path of a menu entry. */
  readonly key: string
  /** Key of its title in `common`. */
  readonly title: Keys['common']
  /** Top level, or the group whose name this is; without it the page is in no menu. */
  readonly menu?: { readonly icon: Icon; readonly group?: Keys['common'] }
  /** The page that a breadcrumb leads back to. */
  readonly under?: string
  /** Stays alive while its tab is open. */
  readonly cache: boolean
  /** Packs of texts that it needs before it shows. */
  readonly texts: readonly Pack[]
  /** Its first load has no Ant Design: only the dialogs that it opens bring it. */
  readonly light?: true
  readonly load: () => Promise<ComponentType>
}

export const INDEX = '/index'

export const PAGES: readonly Page[] = [
  {
    path: INDEX,
    key: 'index',
    title: 'status-monitoring',
    menu: { icon: IconLayoutDashboard },
    cache: true,
    texts: ['status', 'robot'],
    load: async () => (await import('@/features/status/status-screen')).StatusScreen,
  },
  {
    path: '/device/report',
    key: 'device/report',
    title: 'task-reports',
    menu: { icon: IconClipboardText },
    cache: true,
    texts: ['report', 'robot'],
    load: async () => (await import('@/features/report/report-screen')).ReportScreen,
  },
  {
    path: '/device/report/:taskReportId',
    key: 'device/report',
    title: 'task-report',
    under: '/device/report',
    cache: true,
    texts: ['report', 'robot'],
    load: async () => (await import('@/features/report/report-detail-screen')).ReportDetailScreen,
  },
  {
    path: '/device/index',
    key: 'device/index',
    title: 'device-list',
    menu: { icon: IconRobot, group: 'device-management' },
    cache: true,
    texts: ['device', 'robot'],
    light: true,
    load: async () => (await import('@/features/device/list/device-screen')).DeviceScreen,
  },
  {
    path: '/device/info',
    key: 'device/info',
    title: 'device-details',
    under: '/device/index',
    cache: true,
    texts: ['fleet', 'device', 'asset', 'robot', 'report', 'upkeep'],
    load: async () => (await import('@/features/device/info/info-screen')).InfoScreen,
  },
  {
    path: '/device/maplist',
    key: 'device/maplist',
    title: 'map-list',
    menu: { icon: IconMap2, group: 'device-management' },
    cache: true,
    texts: ['map', 'robot', 'sync'],
    load: async () => (await import('@/features/map/screens')).MapListScreen,
  },
  {
    path: '/device/maplist/:mapId',
    key: 'device/maplist',
    title: 'map-list',
    under: '/device/maplist',
    cache: false,
    texts: ['map', 'robot'],
    load: async () => (await import('@/features/map/screens')).EditorScreen,
  },
  {
    path: '/device/taskList',
    key: 'device/taskList',
    title: 'task-list',
    menu: { icon: IconCalendarEvent, group: 'device-management' },
    cache: true,
    texts: ['task', 'robot', 'taskform'],
    load: async () => (await import('@/features/task/tasks-screen')).TasksScreen,
  },
  {
    path: '/device_control/index',
    key: 'device_control/index',
    title: 'remote-control',
    menu: { icon: IconDeviceRemote, group: 'device-management' },
    cache: true,
    texts: ['control', 'robot'],
    load: async () => (await import('@/features/control/control-list-screen')).ControlListScreen,
  },
  ...['/control/v3/:deviceId', '/control/v2/:deviceId'].map((path) => ({
    path,
    key: 'device_control/index',
    title: 'remote-control' as const,
    under: '/device_control/index',
    cache: false,
    texts: ['control', 'robot', 'taskform', 'report'] as const,
    load: async () => (await import('@/features/control/control-screen')).ControlScreen,
  })),
  {
    path: '/device/repair',
    key: 'device/repair',
    title: 'repair-records',
    menu: { icon: IconTool, group: 'device-management' },
    cache: true,
    texts: ['records', 'robot'],
    load: async () => (await import('@/features/records/repairs-screen')).RepairsScreen,
  },
  {
    path: '/device/hire',
    key: 'device/hire',
    title: 'leases',
    menu: { icon: IconFileDollar, group: 'device-management' },
    cache: true,
    texts: ['records', 'robot', 'asset'],
    load: async () => (await import('@/features/records/leases-screen')).LeasesScreen,
  },
  {
    path: '/device/deviceAmap',
    key: 'device/deviceAmap',
    title: 'device-map',
    menu: { icon: IconWorld, group: 'device-management' },
    cache: true,
    texts: ['world', 'robot'],
    load: async () => (await import('@/features/world/world-screen')).WorldScreen,
  },
  {
    name: 'deviceGroup',
    path: '/device/group',
    key: 'device/group',
    title: 'device-groups',
    menu: { icon: IconStack2, group: 'device-management' },
    cache: true,
    texts: ['registry'],
    load: async () => (await import('@/features/registry/device-groups-screen')).DeviceGroupsScreen,
  },
  {
    path: '/device/hardSupportIndex',
    key: 'device/hardSupportIndex',
    title: 'accessories',
    menu: { icon: IconComponents, group: 'device-management' },
    cache: true,
    texts: ['registry'],
    load: async () => (await import('@/features/registry/parts-screen')).PartsScreen,
  },
  {
    path: '/device/index/product/batch/index',
    key: 'device/index/product/batch/index',
    title: 'production-batches',
    menu: { icon: IconPackages, group: 'device-management' },
    cache: true,
    texts: ['registry'],
    load: async () => (await import('@/features/registry/batches-screen')).BatchesScreen,
  },
  {
    path: '/device/index/hostManage',
    key: 'device/index/hostManage',
    title: 'transfer-nodes',
    menu: { icon: IconServer2, group: 'device-management' },
    cache: true,
    texts: ['registry'],
    load: async () => (await import('@/features/registry/nodes-screen')).NodesScreen,
  },
  {
    path: '/elevator/index',
    key: 'elevator/index',
    title: 'elevators',
    menu: { icon: IconElevator, group: 'device-management' },
    cache: true,
    texts: ['registry'],
    load: async () => (await import('@/features/registry/elevators/elevators-screen')).ElevatorsScreen,
  },
  {
    path: '/file/host',
    key: 'file/host',
    title: 'servers',
    menu: { icon: IconServer, group: 'file-management' },
    cache: true,
    texts: ['registry'],
    load: async () => (await import('@/features/registry/servers-screen')).ServersScreen,
  },
  {
    path: '/device/ad',
    key: 'device/ad',
    title: 'advertising',
    menu: { icon: IconAd2, group: 'device-management' },
    cache: true,
    texts: ['advert', 'robot'],
    load: async () => (await import('@/features/advert/advert-screen')).AdvertScreen,
  },
  {
    path: '/device/index/device/selectViewPwdPageList',
    key: 'device/index/device/selectViewPwdPageList',
    title: 'password-access-records',
    menu: { icon: IconKey, group: 'device-management' },
    cache: true,
    texts: ['asset'],
    load: async () => (await import('@/features/device/registration/passwords-screen')).PasswordsScreen,
  },
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
  {
    path: '/message/index',
    key: 'message/index',
    title: 'message-centre',
    menu: { icon: IconMessage },
    cache: true,
    texts: ['message'],
    load: async () => (await import('@/features/message/message-screen')).MessageScreen,
  },
  {
    path: '/log',
    key: 'log',
    title: 'operation-log',
    menu: { icon: IconHistory },
    cache: true,
    texts: ['log', 'robot'],
    load: async () => (await import('@/features/log/log-screen')).LogScreen,
  },
]
