import { IconBook, IconFiles, IconServer } from '@tabler/icons-react'
import type { Page } from './page'

export const FILE_PAGES: readonly Page[] = [
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
    path: '/file/file_list',
    key: 'file/file_list',
    title: 'files',
    menu: { icon: IconFiles, group: 'file-management' },
    cache: true,
    texts: ['document'],
    load: async () => (await import('@/features/document/files-screen')).FilesScreen,
  },
  {
    path: '/file/knowledge',
    key: 'file/knowledge',
    title: 'knowledge-base',
    menu: { icon: IconBook, group: 'file-management' },
    cache: true,
    texts: ['document'],
    load: async () => (await import('@/features/document/knowledge-screen')).KnowledgeScreen,
  },
]
