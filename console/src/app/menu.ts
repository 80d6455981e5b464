/** The side menu out of permission keys: '/' plus a key must equal the path; a group shows if one of its pages does. */
import type { Keys } from '@/shared/i18n/keys'
import type { Page } from './pages/page'

export interface MenuGroup {
  /** Undefined: the entries stand at top level. */
  readonly group: Keys['common'] | undefined
  readonly pages: readonly Page[]
}

/** Groups stand in this order, whatever stands between them. */
const ORDER: readonly Keys['common'][] = [
  'device-management',
  'user-management',
  'alarm-centre',
  'version-management',
  'file-management',
]

type Permissions = Readonly<Record<string, true>>

/** /index is always shown; its data obey the keys. */
export const permitted = (page: Page, keys: Permissions) => page.path === '/index' || keys[page.key] === true

export function menuOf(pages: readonly Page[], keys: Permissions): MenuGroup[] {
  const entries = pages.filter((page) => page.menu && page.path === `/${page.key}` && permitted(page, keys))
  const groups: MenuGroup[] = []
  for (const page of entries) {
    const group = page.menu?.group
    const open = group === undefined ? undefined : groups.find((g) => g.group === group)
    if (open) groups[groups.indexOf(open)] = { ...open, pages: [...open.pages, page] }
    else groups.push({ group, pages: [page] })
  }
  const placed = ORDER.flatMap((name) => groups.filter(({ group }) => group === name))
  return groups.map((entry) => (entry.group === undefined ? entry : (placed.shift() ?? entry)))
}
