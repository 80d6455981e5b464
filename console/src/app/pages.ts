/**
 * Every screen under the main layout: its path, permission key, title, place in the menu and file. Menu, breadcrumbs,
 * tabs, titles and the router all read this list. A screen that is not built yet does not stand here.
 */

import { IconChartBar, IconClipboardText, IconHistory, IconLayoutDashboard, IconMessage } from '@tabler/icons-react'
import { ALARM_PAGES } from './pages/alarm-pages'
import { DEVICE_PAGES } from './pages/device-pages'
import { FILE_PAGES } from './pages/file-pages'
import { INDEX, type Page } from './pages/page'
import { USER_PAGES } from './pages/user-pages'
import { VERSION_PAGES } from './pages/version-pages'

/** Outside the layout, in no menu: the header leads there. */
export const BIG_SCREEN: Page = {
  path: '/bigScreen',
  key: 'bigScreen',
  title: 'big-screen',
  cache: false,
  texts: ['wall', 'robot', 'shell'],
  light: true,
  load: async () => (await import('@/features/big-screen/big-screen')).BigScreen,
}

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
    path: '/reportChart',
    key: 'reportChart',
    title: 'report-charts',
    menu: { icon: IconChartBar },
    cache: true,
    texts: ['chart', 'robot'],
    load: async () => (await import('@/features/chart/report-chart-screen')).ReportChartScreen,
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
    texts: ['report', 'robot', 'alarm', 'replay'],
    load: async () => (await import('@/features/report/report-detail-screen')).ReportDetailScreen,
  },
  ...DEVICE_PAGES,
  ...FILE_PAGES,
  ...VERSION_PAGES,
  ...ALARM_PAGES,
  ...USER_PAGES,
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
