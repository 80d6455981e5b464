/** The main layout: side menu, header, tabs, the open pages. */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { matchPath, useNavigation } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { loadPreferences, setPreference, usePreference } from '@/shared/theme/preferences'
import { below } from '@/shared/theme/tokens'
import { PAGES } from '../pages'
import { PaletteDoor } from '../palette/palette-door'
import { KeepAlive } from '../tabs/keep-alive'
import { TabStrip } from '../tabs/tab-strip'
import { useTabs, useViews } from '../tabs/tabs'
import { ConnectionBar } from './connection-bar'
import { useCurrentPage } from './current-page'
import { Header } from './header'
import { Providers } from './providers'
import styles from './shell.module.css'
import { SideMenu } from './side-menu'
import { useStale } from './use-stale'

export function Shell() {
  return (
    <Providers>
      <Layout />
    </Providers>
  )
}

const stays = (key: string) => PAGES.some((page) => page.cache && matchPath(page.path, key))

const tight = () => matchMedia(below('laptop'))
const listen = (changed: () => void) => {
  const media = tight()
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}
/** Where the menu folds by itself, until somebody says otherwise. */
const useTight = () => useSyncExternalStore(listen, () => tight().matches)

function Layout() {
  const { t } = useTranslation('shell')
  const collapsed = usePreference('collapsed', useTight())
  const [open, setOpen] = useState(false) // the menu over the page, on narrow screens
  const { key, page } = useCurrentPage()
  const tabs = useTabs()
  const versions = useViews((views) => views.versions)
  useStale()
  const busy = useNavigation().state === 'loading'

  useEffect(() => {
    loadPreferences().catch(() => undefined) // the copy kept here serves until the server is back
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: going elsewhere closes the menu
  useEffect(() => setOpen(false), [key])

  const toggle = () => {
    if (matchMedia(below('tablet')).matches) setOpen(!open)
    else setPreference('collapsed', !collapsed)
  }
  return (
    <div className={styles.shell} data-collapsed={collapsed || undefined} data-open={open || undefined}>
      <a className={styles.skip} href="#content">
        {t('skip-to-content')}
      </a>
      <PaletteDoor actions={[{ id: 'menu', label: t('fold-menu'), run: toggle }]} />
      <SideMenu collapsed={collapsed && !open} />
      {open && (
        <button type="button" className={styles.veil} aria-label={t('common:close')} onClick={() => setOpen(false)} />
      )}
      <div className={styles.main}>
        <Header collapsed={collapsed} onToggle={toggle} />
        <TabStrip />
        <ConnectionBar />
        {busy && <div className={styles.busy} role="status" aria-label={t('common:loading-data')} />}
        <main
          id="content"
          className={styles.content}
          tabIndex={-1}
          {...(page && { 'aria-label': t(`common:${page.title}`) })}
        >
          <KeepAlive current={key} alive={tabs.map((tab) => tab.key).filter(stays)} versions={versions} />
        </main>
      </div>
    </div>
  )
}
