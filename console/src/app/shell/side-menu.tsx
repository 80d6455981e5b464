/** The side menu: 200 px with words, 65 px with icons; built from the permission keys. */

import { type Icon, IconBell, IconChevronDown, IconFolder, IconRobot, IconStack2, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Tooltip } from '@/shared/controls/tooltip'
import type { Keys } from '@/shared/i18n/keys'
import { useTranslation } from '@/shared/i18n/text'
import { Logo } from '@/shared/marks/logo'
import { useSession } from '@/shared/session/session'
import { type MenuGroup, menuOf } from '../menu'
import { PAGES } from '../pages'
import type { Page } from '../pages/page'
import { Freshness } from './freshness'
import styles from './side-menu.module.css'

const GROUP_ICONS: Readonly<Record<string, Icon>> = {
  'alarm-centre': IconBell,
  'device-management': IconRobot,
  'file-management': IconFolder,
  'user-management': IconUsers,
  'version-management': IconStack2,
}
const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const

export function SideMenu({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation('shell')
  const keys = useSession()?.permissionKeys ?? {}
  return (
    <aside className={styles.side} data-collapsed={collapsed || undefined}>
      <Link to="/index" className={styles.brand} aria-label="Lustra">
        <Logo />
        {!collapsed && <span>Lustra</span>}
      </Link>
      <nav aria-label={t('main-menu')} className={styles.nav}>
        <ul>
          {menuOf(PAGES, keys).map((entry) =>
            entry.group !== undefined && !collapsed ? (
              <Group key={entry.group} entry={entry} name={entry.group} />
            ) : (
              entry.pages.map((page) => <Entry key={page.path} page={page} collapsed={collapsed} />)
            ),
          )}
        </ul>
      </nav>
      <Freshness collapsed={collapsed} />
    </aside>
  )
}

/** A page is current also for the pages that lie under it. */
function useIsCurrent(page: Page) {
  const { pathname } = useLocation()
  return pathname === page.path || PAGES.some((p) => p.under === page.path && pathname.startsWith(stem(p.path)))
}

const stem = (path: string) => path.replace(/:.*$/, '')

function Entry({ page, collapsed, inner }: { page: Page; collapsed: boolean; inner?: boolean }) {
  const { t } = useTranslation('common')
  const current = useIsCurrent(page)
  const Icon = page.menu?.icon
  const link = (
    <Link
      to={page.path}
      className={styles.item}
      data-inner={inner || undefined}
      aria-current={current ? 'page' : undefined}
      aria-label={collapsed ? t(page.title) : undefined}
    >
      {Icon && !inner && <Icon {...ICON} />}
      {!collapsed && <span>{t(page.title)}</span>}
    </Link>
  )
  return <li>{collapsed ? <Tooltip title={t(page.title)}>{link}</Tooltip> : link}</li>
}

function Group({ entry, name }: { entry: MenuGroup; name: Keys['common'] }) {
  const { t } = useTranslation('common')
  const { pathname } = useLocation()
  const inside = entry.pages.some(
    (page) => pathname === page.path || PAGES.some((p) => p.under === page.path && pathname.startsWith(stem(p.path))),
  )
  const [chosen, setChosen] = useState<boolean>()
  const open = chosen ?? inside
  const Icon = GROUP_ICONS[name]
  return (
    <li>
      <button type="button" className={styles.item} aria-expanded={open} onClick={() => setChosen(!open)}>
        {Icon && <Icon {...ICON} />}
        <span>{t(name)}</span>
        <IconChevronDown size={12} stroke={1.75} className={styles.chevron} aria-hidden="true" />
      </button>
      {open && (
        <ul>
          {entry.pages.map((page) => (
            <Entry key={page.path} page={page} collapsed={false} inner />
          ))}
        </ul>
      )}
    </li>
  )
}
