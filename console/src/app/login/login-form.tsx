/** Account and password; after that, where the account must change its password, the new one; then the page that was asked for. */
import { IconUser } from '@tabler/icons-react'
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { adoptLanguage, currentLanguage } from '@/shared/i18n/i18n'
import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { errorText } from '@/shared/rpc/errors/error-text'
import { begin, type LoggedIn, useSessionStore } from '@/shared/session/session'
import { Field, ICON, PasswordField } from './field'
import styles from './login-page.module.css'

const NewPassword = lazy(async () => ({ default: (await import('./new-password')).NewPassword }))

type Answered = LoggedIn & { language?: string; mustChange?: boolean }

interface Props {
  filled: { account: string; password: string }
  onEnter(): void
}

export function LoginForm({ filled, onEnter }: Props) {
  const { t } = useTranslation('login')
  const farewell = useSessionStore((state) => state.farewell)
  const [account, setAccount] = useState('')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<'account' | 'password'>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [must, setMust] = useState<Answered>()

  useEffect(() => {
    setAccount(filled.account)
    setPassword(filled.password)
    setMissing(undefined)
  }, [filled])

  const enter = async (session: Answered) => {
    begin(session)
    await adoptLanguage(session.language)
    onEnter()
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    const lacks = account.trim() ? (password ? undefined : 'password') : 'account'
    setMissing(lacks)
    setProblem(undefined)
    if (lacks) return
    setBusy(true)
    try {
      const payload = { account: account.trim(), password, type: 'user' as const, language: currentLanguage() }
      const answer: Answered = await call('/login', payload)
      if (answer.mustChange) setMust(answer)
      else await enter(answer)
    } catch (error) {
      setProblem(errorText(t, error, t('log-in')))
    } finally {
      setBusy(false)
    }
  }
  if (must)
    return (
      <Suspense>
        <NewPassword session={must} password={password} onDone={() => void enter(must)} />
      </Suspense>
    )
  const says = problem ?? (farewell === undefined ? undefined : farewell || t('session-expired'))
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      {says !== undefined && (
        <p role="alert" className={styles.alert}>
          {says}
        </p>
      )}
      <Field label={t('login-name')} icon={<IconUser {...ICON} />} fault={missing === 'account' && t('required-field')}>
        <input
          value={account}
          onChange={(event) => setAccount(event.target.value)}
          autoComplete="username"
          name="account"
          dir="auto"
        />
      </Field>
      <PasswordField
        label={t('password')}
        value={password}
        onChange={setPassword}
        fault={missing === 'password' && t('required-field')}
        autoComplete="current-password"
      />
      <button type="submit" className={styles.enter} disabled={busy}>
        {t('log-in')}
      </button>
    </form>
  )
}
