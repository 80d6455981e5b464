/**
 * Every screen under the main layout: its path, permission key, title, place in the menu and file. Menu, breadcrumbs,
 * tabs, titles and the router all read this list. A screen that is not built yet does not stand here.
 */
import { type Icon, IconLayoutDashboard } from '@tabler/icons-react'
import type { ComponentType } from 'react'

export interface Page {
  /** Full path, with the router's parameters. */
  readonly path: string
  /** The permission key that opens it; '/' plus the key is the path of a menu entry (product.txt 2). */
  readonly key: string
  /** Key of its title in `common`. */
  readonly title: string
  /** Top level, or the group whose name this is; without it the page is in no menu. */
  readonly menu?: { readonly icon: Icon; readonly group?: string }
  /** The page that a breadcrumb leads back to. */
  readonly under?: string
  /** Stays alive while its tab is open. */
  readonly cache: boolean
  /** Packs of texts that it needs before it shows. */
  readonly texts: readonly string[]
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
    texts: ['status'],
    load: async () => (await import('@/features/status/status-screen')).StatusScreen,
  },
]
