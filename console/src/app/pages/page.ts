import type { Icon } from '@tabler/icons-react'
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
