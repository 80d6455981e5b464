/** The first administrator's password was printed once and is changed here before anything else. */
import { type FormEvent, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { errorText } from '@/shared/rpc/errors/error-text'
import { SHORTEST_PASSWORD } from '@/shared/rpc/people'
import { passwordFault } from '@/shared/session/new-password'
import { begin, end, type LoggedIn } from '@/shared/session/session'
import { PasswordField } from './field'
import styles from './login-page.module.css'

export function NewPassword({
  session,
  password,
  onDone,
}: {
  session: LoggedIn
  password: string
  onDone: () => void
}) {
  const { t } = useTranslation('login')
  const [newPassword, setNewPassword] = useState('')
  const [problem, setProblem] = useState<string>()

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!newPassword) return setProblem(t('required-field'))
    const { userId, account } = session
    const refused = passwordFault(newPassword, account, password)
    if (refused) return setProblem(t(refused, { length: SHORTEST_PASSWORD }))
    begin(session)
    try {
      await call('/user/updatePassword', { userId, account, password, newPassword })
      onDone()
    } catch (error) {
      end()
      setProblem(errorText(t, error, t('change-password')))
    }
  }
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <p role="alert" className={styles.alert}>
        {problem ?? t('must-change')}
      </p>
      <PasswordField
        label={t('new-password')}
        value={newPassword}
        onChange={setNewPassword}
        fault={false}
        autoComplete="new-password"
      />
      <button type="submit" className={styles.enter}>
        {t('change-password')}
      </button>
    </form>
  )
}
