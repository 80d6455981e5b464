/** The account's menu: appearance, size, theme colour, one's own data, log out. */
import { App, Dropdown, type MenuProps } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { AccountAction } from '@/features/account/account-dialogs'
import { loadTexts } from '@/shared/i18n/i18n'
import { call } from '@/shared/rpc/call'
import { end, leave, useMay, useSession } from '@/shared/session/session'
import { signedOn } from '@/shared/session/signed-on'
import type { Colour } from '@/shared/theme/palette'
import { setPreference } from '@/shared/theme/preferences'
import { type Scheme, type Size, useColour, useMode, useScheme, useSize } from '@/shared/theme/scheme'
import { COLOURS } from '@/shared/theme/tokens'
import { useUnsaved } from '@/shared/ui/unsaved'
import { useTabs } from '../tabs/tabs'
import styles from './header.module.css'
import { Count, useNews, useUnread } from './unread'

const MESSAGES = '/message/index'
const SCHEMES: readonly (readonly [Scheme, string])[] = [
  ['system', 'system-mode'],
  ['light', 'light-mode'],
  ['dark', 'common:dark-mode'],
]
const SIZES: readonly (readonly [Size, string])[] = [
  ['small', 'size-small'],
  ['default', 'size-default'],
  ['large', 'size-large'],
]

/** One's own things: the dialog, its word, and the key that it needs. */
const OWN: readonly (readonly [AccountAction, string, string?])[] = [
  ['edit-profile', 'common:edit-profile'],
  ['avatar', 'common:avatar'],
  ['change-password', 'common:change-password'],
  ['own-sessions', 'own-sessions'],
  ['api-keys', 'api-keys'],
  ['single-sign-on', 'single-sign-on'],
  ['support-access', 'support-access'],
  ['personal-data', 'personal-data'],
  ['clear-token', 'common:clear-token', 'index/clear_token'],
  ['clear-data', 'common:clear-data', 'index/clear_data'],
]

/** Comes when it is asked for: few open it. */
const OwnDialogs = lazy(async () => {
  const [{ AccountDialogs: Dialogs }] = await Promise.all([
    import('@/features/account/account-dialogs'),
    loadTexts('people', 'permission', 'robot'),
  ])
  return { default: Dialogs }
})

/** Log-out: the server's answer does not matter, the credentials go. */
async function logOut() {
  leave()
  await call('/logout', {}).catch(() => undefined)
  end()
}

/** Asks first where something is not saved. */
function useLogOut() {
  const { t } = useTranslation('shell')
  const { modal } = App.useApp()
  const tabs = useTabs()
  const unsaved = useUnsaved()
  return async () => {
    const pages = tabs.filter((tab) => unsaved[tab.key])
    const names = pages.map((tab) => tab.subject ?? t(`common:${tab.title}`)).join(', ')
    const question = { title: t('unsaved-title'), content: t('unsaved-text', { names }) }
    const words = { okText: t('common:log-out'), cancelText: t('common:back') }
    if (Object.keys(unsaved).length > 0 && !(await modal.confirm({ ...question, ...words }))) return
    await logOut()
  }
}

const initials = (name: string) => [...name.trim()].slice(0, 2).join('').toUpperCase()

export function UserMenu() {
  const { t } = useTranslation('shell')
  const session = useSession()
  const [accountAction, setAccountAction] = useState<AccountAction | undefined>(signedOn() && 'single-sign-on')
  const mode = useMode()
  const go = useNavigate()
  const leaving = useLogOut()
  const reads = useMay('message/index')
  const unread = useUnread(reads)
  const news = useNews(unread)
  const chosen = { theme: useScheme(), size: useSize(), colour: useColour() }
  if (!session) return null
  const name = session.name || session.account
  const menu = t('account-menu')
  const offered = typeof session.sso === 'string'

  const items: MenuProps['items'] = [
    { key: 'who', type: 'group', label: <bdi className={styles.who}>{name}</bdi> },
    {
      key: 'theme',
      label: t('appearance'),
      children: SCHEMES.map(([key, word]) => ({ key: `theme/${key}`, label: t(word) })),
    },
    {
      key: 'colour',
      label: t('common:theme-colour'),
      children: (Object.keys(COLOURS) as Colour[]).map((key) => ({
        key: `colour/${key}`,
        label: t(`colour-${key}`),
        icon: <i className={styles.swatch} style={{ background: COLOURS[key][mode] }} />,
      })),
    },
    { key: 'size', label: t('size'), children: SIZES.map(([key, word]) => ({ key: `size/${key}`, label: t(word) })) },
    { type: 'divider' },
    ...(reads
      ? [
          {
            key: 'messages',
            label: t('common:message-centre'),
            extra: unread > 0 && <Count count={unread} />,
          },
        ]
      : []),
    ...OWN.filter(([own, , key]) => (!key || session.permissionKeys[key]) && (own !== 'single-sign-on' || offered)).map(
      ([key, word]) => ({ key, label: t(word) }),
    ),
    { type: 'divider' },
    { key: 'log-out', label: t('common:log-out') },
  ]
  const choose = (key: string) => {
    if (key === 'messages') return void go(MESSAGES)
    if (key === 'log-out') return void leaving()
    const own = OWN.find(([action]) => action === key)
    if (own) return setAccountAction(own[0])
    const [preference = '', value] = key.split('/')
    setPreference(preference, value)
  }
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items,
          selectable: true,
          selectedKeys: Object.entries(chosen).map(([preference, value]) => `${preference}/${value}`),
          onClick: ({ key }) => choose(key),
        }}
      >
        <button type="button" className={styles.avatar} aria-label={`${initials(name)}, ${menu}: ${name}${news}`}>
          {session.url ? <img src={session.url} alt="" /> : initials(name)}
          {unread > 0 && <i className={styles.dot} />}
        </button>
      </Dropdown>
      {accountAction && (
        <Suspense>
          <OwnDialogs action={accountAction} onClose={() => setAccountAction(undefined)} />
        </Suspense>
      )}
    </>
  )
}
