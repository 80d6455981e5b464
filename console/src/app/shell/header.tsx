/** The header: fold the menu, where you are, the palette, language, full screen, account. */

import {
  IconDeviceTv,
  IconLanguage,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMaximize,
  IconMinimize,
} from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { MenuButton } from '@/shared/controls/menu'
import { chooseLanguage, currentLanguage } from '@/shared/i18n/i18n'
import { LANGUAGES, type Language } from '@/shared/i18n/languages'
import { useTranslation } from '@/shared/i18n/text'
import { isKeyOf } from '@/shared/keys'
import { useMay } from '@/shared/session/session'
import { useFullScreen } from '@/shared/ui/full-screen'
import { notice } from '@/shared/ui/notice'
import { BIG_SCREEN, PAGES } from '../pages'
import { Alarms } from './alarms/alarms'
import { useCurrentPage } from './current-page'
import styles from './header.module.css'
import { PaletteButton } from './palette-button'
import { UserMenu } from './user-menu'

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const

export function Header({ collapsed, onToggle }: { collapsed: boolean; onToggle: () => void }) {
  const { t } = useTranslation('shell')
  const Fold = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const fold = t(collapsed ? 'common:expand' : 'common:collapse')
  return (
    <header className={styles.header}>
      <button
        type="button"
        className={`${styles.icon} ${styles.fold}`}
        aria-label={`${t('main-menu')}: ${fold}`}
        title={fold}
        onClick={onToggle}
      >
        <Fold {...ICON} />
      </button>
      <Breadcrumbs />
      <span className={styles.space} />
      <PaletteButton />
      <Alarms />
      <BigScreenLink />
      <LanguageSwitch />
      <FullScreen />
      <UserMenu />
    </header>
  )
}

function Breadcrumbs() {
  const { t } = useTranslation('common')
  const { page, subject } = useCurrentPage()
  const above = PAGES.find((p) => p.path === page?.under)
  const group = (page?.menu ?? above?.menu)?.group
  useEffect(() => {
    if (page) document.title = `${subject ?? t(page.title)} · Lustra`
  }, [page, subject, t])
  if (!page) return null
  return (
    <nav aria-label={t('shell:breadcrumbs')} className={styles.crumbs}>
      <ol>
        {group && <li>{t(group)}</li>}
        {above && (
          <li>
            <Link to={above.path}>{t(above.title)}</Link>
          </li>
        )}
        <li aria-current="page">
          <h1>
            <bdi title={subject ?? t(page.title)}>{subject ?? t(page.title)}</bdi>
          </h1>
        </li>
      </ol>
    </nav>
  )
}

function BigScreenLink() {
  const { t } = useTranslation('common')
  if (!useMay(BIG_SCREEN.key)) return null
  return (
    <Link className={styles.icon} to={BIG_SCREEN.path} aria-label={t(BIG_SCREEN.title)} title={t(BIG_SCREEN.title)}>
      <IconDeviceTv {...ICON} />
    </Link>
  )
}

function LanguageSwitch() {
  const { t } = useTranslation('common')
  const choose = async (language: Language) => {
    await chooseLanguage(language).catch(() => notice('error', t('operation-failed', { action: t('language') })))
  }
  return (
    <MenuButton
      className={styles.icon}
      aria-label={t('language')}
      title={t('language')}
      entries={() =>
        Object.entries(LANGUAGES).map(([key, { name }]) => ({
          key,
          label: <span lang={key}>{name}</span>,
          on: key === currentLanguage(),
        }))
      }
      onPick={(key) => isKeyOf(LANGUAGES, key) && void choose(key)}
    >
      <IconLanguage {...ICON} />
    </MenuButton>
  )
}

function FullScreen() {
  const { t } = useTranslation('shell')
  const { possible, full, toggle } = useFullScreen()
  if (!possible) return null
  const word = t(full ? 'exit-full-screen' : 'common:full-screen')
  const Icon = full ? IconMinimize : IconMaximize
  return (
    <button type="button" className={styles.icon} aria-label={word} title={word} onClick={toggle}>
      <Icon {...ICON} />
    </button>
  )
}
