/** Demo mode only: the accounts of the demo installation; a click fills the form. */
import { IconCheck, IconCopy, IconFlask2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import styles from './demo-accounts.module.css'

export interface Demo {
  readonly password: string
  readonly robots: number
  /** `role` comes in the language that was asked for. */
  readonly accounts: readonly { account: string; role: string; robots: number }[]
}

const FIRST = ['admin', 'dealer', 'user', 'sub', 'operations', 'aftersales']
export function DemoAccounts({ demo, onPick }: { demo: Demo; onPick: (account: string) => void }) {
  const { t } = useTranslation('login')
  const [all, setAll] = useState(false)
  const [copied, setCopied] = useState(false)
  const first = FIRST.flatMap((name) => demo.accounts.find((a) => a.account === name) ?? [])
  const accounts = all ? demo.accounts : first
  const copy = async () => {
    await navigator.clipboard.writeText(demo.password)
    setCopied(true)
  }
  const Copy = copied ? IconCheck : IconCopy
  return (
    <section className={styles.demo} aria-label={t('demo-accounts')}>
      <header>
        <IconFlask2 size={16} stroke={1.75} aria-hidden="true" className={styles.flask} />
        <h2>{t('demo-accounts')}</h2>
        <span>{t('password')}</span>
        <code dir="ltr">{demo.password}</code>
        <button type="button" aria-label={t('copy')} title={t('copy')} onClick={() => void copy()}>
          <Copy size={14} stroke={1.75} aria-hidden="true" />
        </button>
      </header>
      <ul>
        {accounts.map(({ account, role, robots }) => (
          <li key={account}>
            <button type="button" onClick={() => onPick(account)}>
              <bdi>{account}</bdi>
              <span>{robots < demo.robots ? t('count-robots', { count: robots }) : role}</span>
            </button>
          </li>
        ))}
      </ul>
      {!all && demo.accounts.length > first.length && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {t('more')}
        </button>
      )}
    </section>
  )
}
