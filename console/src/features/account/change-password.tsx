/** One's own password; the old one is asked for, and the account's other sessions end. */

import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { SHORTEST_PASSWORD } from '@/shared/rpc/people'
import { passwordFault } from '@/shared/session/new-password'
import { useSession } from '@/shared/session/session'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'

const LIMIT = LIMITS['/user/updatePassword']

export function ChangePassword({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const session = useSession()
  const [old, setOld] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [tried, setTried] = useState(false)
  const action = useAction('/user/updatePassword', t('change-password'))
  if (!session) return null
  const { userId, account } = session
  const refused = passwordFault(newPassword, account, old)
  const send = () => {
    setTried(true)
    if (!old || refused) return
    action.run({ userId, account, password: old, newPassword }, () => {
      notice('success', t('password-changed'))
      onClose()
    })
  }
  return (
    <Modal
      open
      title={t('change-password')}
      okText={t('change-password')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={send}
      onCancel={onClose}
    >
      <Field label={t('old-password')} fault={tried && !old ? t('required-field') : undefined}>
        <Input
          type="password"
          autoFocus
          dir="ltr"
          autoComplete="current-password"
          value={old}
          onChange={(event) => setOld(event.target.value)}
          maxLength={LIMIT.password.maxLength}
        />
      </Field>
      <Field
        label={t('new-password')}
        hint={t('password-hint', { length: SHORTEST_PASSWORD })}
        fault={tried && refused ? t(refused, { length: SHORTEST_PASSWORD }) : undefined}
      >
        <Input
          type="password"
          dir="ltr"
          autoComplete="new-password"
          value={newPassword}
          onChange={(event) => setNewPassword(event.target.value)}
          onPressEnter={send}
          maxLength={LIMIT.newPassword.maxLength}
        />
      </Field>
      <Problem text={action.problem} />
    </Modal>
  )
}
