/** The new password of who came by the link of a mail. */
import { type FormEvent, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { errorText } from '@/shared/rpc/errors/error-text'
import { SHORTEST_PASSWORD } from '@/shared/rpc/people'
import { passwordFault } from '@/shared/session/new-password'
import { PasswordField } from './field'
import styles from './login-page.module.css'

interface Props {
  code: string
  /** `set`: the new password holds. */
  onDone(set: boolean): void
}

export function ResetPassword({ code, onDone }: Props) {
  const { t } = useTranslation('login')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!password) return setProblem(t('required-field'))
    const refused = passwordFault(password, '', '')
    if (refused) return setProblem(t(refused, { length: SHORTEST_PASSWORD }))
    setBusy(true)
    try {
      await call('/resetPassword', { code, newPassword: password })
      onDone(true)
    } catch (error) {
      setProblem(errorText(t, error, t('change-password')))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      {problem !== undefined && (
        <p role="alert" className={styles.alert}>
          {problem}
        </p>
      )}
      <p className={styles.note}>{t('choose-new')}</p>
      <PasswordField
        label={t('new-password')}
        value={password}
        onChange={setPassword}
        fault={false}
        autoComplete="new-password"
      />
      <button type="submit" className={styles.enter} disabled={busy}>
        {t('change-password')}
      </button>
      <button type="button" className={styles.link} onClick={() => onDone(false)}>
        {t('back-to-login')}
      </button>
    </form>
  )
}
