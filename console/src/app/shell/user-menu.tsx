/** The account's menu: appearance, size, theme colour, one's own data, log out. */

import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { AccountAction } from '@/features/account/account-dialogs'
import { Button } from '@/shared/controls/button'
import { Dialog } from '@/shared/controls/dialog'
import { MenuButton, type MenuEntry } from '@/shared/controls/menu'
import { useFormats } from '@/shared/i18n/format'
import { loadTexts } from '@/shared/i18n/i18n'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { keysOf } from '@/shared/keys'
import { call } from '@/shared/rpc/call'
import { end, leave, useMay, useSession } from '@/shared/session/session'
import { signedOn } from '@/shared/session/signed-on'
import { setPreference } from '@/shared/theme/preferences'
import { type Scheme, type Size, useColour, useMode, useScheme, useSize } from '@/shared/theme/scheme'
import { COLOURS } from '@/shared/theme/tokens'
import { withAntd } from '@/shared/theme/with-antd'
import { runAction } from '@/shared/ui/run-action'
import { useUnsaved } from '@/shared/ui/unsaved'
import { useTabs } from '../tabs/tabs'
import styles from './header.module.css'
import { Count, useNews, useUnread } from './unread'

const MESSAGES = '/message/index'
/** What the menu sets, by the names of the preferences. */
const LIKINGS = ['theme', 'colour', 'size'] as const
const SCHEMES: readonly (readonly [Scheme, TextKey<'shell'>])[] = [
  ['system', 'system-mode'],
  ['light', 'light-mode'],
  ['dark', 'common:dark-mode'],
]
const SIZES: readonly (readonly [Size, TextKey<'shell'>])[] = [
  ['small', 'size-small'],
  ['default', 'size-default'],
  ['large', 'size-large'],
]

/** One's own things: the dialog, its word, and the key that it needs. */
const OWN: readonly (readonly [AccountAction, TextKey<'shell'>, string?])[] = [
  ['edit-profile', 'common:edit-profile'],
  ['avatar', 'common:avatar'],
  ['change-password', 'common:change-password'],
  ['own-sessions', 'own-sessions'],
  ['api-keys', 'api-keys'],
  ['webhooks', 'webhooks', 'index/changes'],
  ['single-sign-on', 'single-sign-on'],
  ['tablet-customisation', 'common:tablet-customisation'],
  ['letterhead', 'letterhead', 'device/report'],
  ['support-access', 'support-access'],
  ['personal-data', 'personal-data'],
  ['clear-token', 'common:clear-token', 'index/clear_token'],
  ['clear-data', 'common:clear-data', 'index/clear_data'],
]

const About = lazy(async () => ({ default: (await import('./about')).About }))

/** Comes when it is asked for: few open it. */
const OwnDialogs = lazy(async () => {
  const [Dialogs] = await Promise.all([
    withAntd(async () => (await import('@/features/account/account-dialogs')).AccountDialogs),
    loadTexts('people', 'permission', 'robot', 'tablet', 'webhook', 'letterhead'),
  ])
  return { default: Dialogs }
})

/** Log-out: whatever the server says, the credentials go; who came by single sign-on leaves there too. */
async function logOut() {
  leave()
  const left = await call('/logout', {}).catch(() => undefined)
  end()
  if (left?.ssoUrl) window.location.assign(left.ssoUrl)
}

/** Asks first where something is not saved: `question` is shown until it is answered. */
function useLogOut() {
  const { t } = useTranslation('shell')
  const { list } = useFormats()
  const tabs = useTabs()
  const unsaved = useUnsaved()
  const [asking, setAsking] = useState(false)
  const names = tabs.filter((tab) => unsaved[tab.key]).map((tab) => tab.subject ?? t(`common:${tab.title}`))
  const back = () => setAsking(false)
  const question = asking && (
    <Dialog
      title={t('unsaved-title')}
      onClose={back}
      footer={
        <>
          <Button onClick={back}>{t('common:cancel')}</Button>
          <Button type="primary" onClick={() => void logOut()}>
            {t('common:log-out')}
          </Button>
        </>
      }
    >
      {t('unsaved-text', { names: list(names) })}
    </Dialog>
  )
  return { question, leave: () => (Object.keys(unsaved).length > 0 ? setAsking(true) : void logOut()) }
}

const initials = (name: string) => [...name.trim()].slice(0, 2).join('').toUpperCase()

export function UserMenu() {
  const { t } = useTranslation('shell')
  const session = useSession()
  const [accountAction, setAccountAction] = useState<AccountAction | undefined>(signedOn() && 'single-sign-on')
  const [about, setAbout] = useState(false)
  const mode = useMode()
  const go = useNavigate()
  const leaving = useLogOut()
  const reads = useMay('message/index')
  const unread = useUnread(reads)
  const news = useNews(unread)
  const scheme = useScheme()
  const size = useSize()
  const colour = useColour()
  if (!session) return null
  const name = session.name || session.account
  const menu = t('account-menu')
  const offered: Partial<Record<AccountAction, boolean>> = {
    'single-sign-on': typeof session.sso === 'string',
    'tablet-customisation': session.brandsTablets === true,
  }

  const entries = (): MenuEntry[] => [
    { heading: <bdi className={styles.who}>{name}</bdi> },
    {
      key: 'theme',
      label: t('appearance'),
      children: SCHEMES.map(([key, word]) => ({ key: `theme/${key}`, label: t(word), on: key === scheme })),
    },
    {
      key: 'colour',
      label: t('common:theme-colour'),
      children: keysOf(COLOURS).map((key) => ({
        key: `colour/${key}`,
        label: t(`colour-${key}`),
        icon: <i className={styles.swatch} style={{ background: COLOURS[key][mode] }} />,
        on: key === colour,
      })),
    },
    {
      key: 'size',
      label: t('size'),
      children: SIZES.map(([key, word]) => ({ key: `size/${key}`, label: t(word), on: key === size })),
    },
    'line',
    ...(reads
      ? [{ key: 'messages', label: t('common:message-centre'), extra: unread > 0 && <Count count={unread} /> }]
      : []),
    ...OWN.filter(([own, , key]) => (!key || session.permissionKeys[key]) && (offered[own] ?? true)).map(
      ([key, word]) => ({ key, label: t(word) }),
    ),
    'line',
    { key: 'about', label: t('about') },
    { key: 'log-out', label: t('common:log-out') },
  ]
  const choose = (key: string) => {
    if (key === 'messages') return void go(MESSAGES)
    if (key === 'log-out') return leaving.leave()
    if (key === 'about') return setAbout(true)
    const own = OWN.find(([action]) => action === key)
    if (own) return setAccountAction(own[0])
    const [preference = '', value] = key.split('/')
    runAction(Object.fromEntries(LIKINGS.map((name) => [name, () => setPreference(name, value)])), preference)
  }
  return (
    <>
      <MenuButton
        className={styles.avatar}
        aria-label={`${initials(name)}, ${menu}: ${name}${news}`}
        entries={entries}
        onPick={choose}
      >
        {session.url ? <img src={session.url} alt="" /> : initials(name)}
        {unread > 0 && <i className={styles.dot} />}
      </MenuButton>
      {leaving.question}
      {about && (
        <Suspense>
          <About onClose={() => setAbout(false)} />
        </Suspense>
      )}
      {accountAction && (
        <Suspense>
          <OwnDialogs action={accountAction} onClose={() => setAccountAction(undefined)} />
        </Suspense>
      )}
    </>
  )
}
