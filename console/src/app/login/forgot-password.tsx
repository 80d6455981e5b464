/** Who forgot the password asks for a link by mail here, or reads whom to ask where no mails are sent. */
import { IconUser } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { errorText } from '@/shared/rpc/errors/error-text'
import { Field, ICON } from './field'
import styles from './login-page.module.css'

interface Props {
  /** Whether the installation sends mails. */
  mails: boolean
  onBack(): void
}

export function ForgotPassword({ mails, onBack }: Props) {
  const { t } = useTranslation('login')
  const [account, setAccount] = useState('')
  const [missing, setMissing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    setMissing(!account.trim())
    setProblem(undefined)
    if (!account.trim()) return
    setBusy(true)
    try {
      await call('/forgotPassword', { account: account.trim() })
      setSent(true)
    } catch (error) {
      setProblem(errorText(t, error, t('send-link')))
    } finally {
      setBusy(false)
    }
  }
  const asks = mails && !sent
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      {problem !== undefined && (
        <p role="alert" className={styles.alert}>
          {problem}
        </p>
      )}
      <p role="status" className={styles.note}>
        {t(sent ? 'link-sent' : mails ? 'forgot-how' : 'forgot-no-mail')}
      </p>
      {asks && (
        <>
          <Field label={t('login-name')} icon={<IconUser {...ICON} />} fault={missing && t('required-field')}>
            <input
              value={account}
              onChange={(event) => setAccount(event.target.value)}
              autoComplete="username"
              name="account"
              dir="auto"
            />
          </Field>
          <button type="submit" className={styles.enter} disabled={busy}>
            {t('send-link')}
          </button>
        </>
      )}
      <button type="button" className={styles.link} onClick={onBack}>
        {t('back-to-login')}
      </button>
    </form>
  )
}
