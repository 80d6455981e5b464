import { IconBell, IconBellCog, IconBellRinging } from '@tabler/icons-react'
import type { Page } from './page'

export const ALARM_PAGES: readonly Page[] = [
  {
    path: '/index/realWarn',
    key: 'index/realWarn',
    title: 'live-alarms',
    menu: { icon: IconBellRinging, group: 'alarm-centre' },
    cache: true,
    texts: ['alarm', 'robot', 'control'],
    load: async () => (await import('@/features/alarm/live-screen')).LiveScreen,
  },
  {
    path: '/index/realWarn/:warnId',
    key: 'index/realWarn',
    title: 'alarm',
    under: '/index/realWarn',
    cache: true,
    texts: ['alarm', 'robot', 'control', 'replay'],
    load: async () => (await import('@/features/alarm/replay/alarm-screen')).AlarmScreen,
  },
  {
    path: '/warn/index/warn',
    key: 'warn/index/warn',
    title: 'alarm-centre',
    menu: { icon: IconBell, group: 'alarm-centre' },
    cache: true,
    texts: ['alarm', 'robot', 'control'],
    load: async () => (await import('@/features/alarm/centre-screen')).CentreScreen,
  },
  {
    path: '/warn/index/warn_set',
    key: 'warn/index/warn_set',
    title: 'alarm-settings',
    menu: { icon: IconBellCog, group: 'alarm-centre' },
    cache: true,
    texts: ['alarm'],
    load: async () => (await import('@/features/alarm/settings-screen')).SettingsScreen,
  },
]
