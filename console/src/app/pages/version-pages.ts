import { IconAdjustments, IconCloud, IconCode, IconCpu, IconDeviceTablet, IconPackage } from '@tabler/icons-react'
import type { Page } from './page'

export const VERSION_PAGES: readonly Page[] = [
  {
    path: '/version/index/whole_version',
    key: 'version/index/whole_version',
    title: 'system-versions',
    menu: { icon: IconPackage, group: 'version-management' },
    cache: true,
    texts: ['version'],
    load: async () => (await import('@/features/version/whole-screen')).WholeScreen,
  },
  {
    path: '/version/soft',
    key: 'version/soft',
    title: 'software-versions',
    menu: { icon: IconCode, group: 'version-management' },
    cache: true,
    texts: ['version', 'document'],
    load: async () => (await import('@/features/version/soft/soft-screen')).SoftScreen,
  },
  {
    path: '/version/fireware',
    key: 'version/fireware',
    title: 'firmware',
    menu: { icon: IconCpu, group: 'version-management' },
    cache: true,
    texts: ['version', 'document'],
    load: async () => (await import('@/features/version/firmware-screen')).FirmwareScreen,
  },
  {
    path: '/version/app',
    key: 'version/app',
    title: 'app-versions',
    menu: { icon: IconDeviceTablet, group: 'version-management' },
    cache: true,
    texts: ['version', 'document'],
    load: async () => (await import('@/features/version/app-screen')).AppScreen,
  },
  {
    path: '/version/configure',
    key: 'version/configure',
    title: 'configuration-parameters',
    menu: { icon: IconAdjustments, group: 'version-management' },
    cache: true,
    texts: ['version'],
    load: async () => (await import('@/features/version/parameters-screen')).ParametersScreen,
  },
  {
    path: '/version/index/cloud_version',
    key: 'version/index/cloud_version',
    title: 'cloud-versions',
    menu: { icon: IconCloud, group: 'version-management' },
    cache: true,
    texts: ['version'],
    load: async () => (await import('@/features/version/cloud-screen')).CloudScreen,
  },
]
