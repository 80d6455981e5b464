/** A new first password for an account, after a word about what it ends. */

import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { UserRow } from '@/widgets/person/person'
import { FirstPassword } from './first-password'

export function InitialDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation('people')
  const [password, setPassword] = useState<string>()
  const action = useAction('/user/updateInitialPassword', t('initial-password'))
  if (password !== undefined)
    return <FirstPassword account={row.account} name={row.name} password={password} onClose={onClose} />
  return (
    <Modal
      open
      title={t('initial-password-of', { name: row.name })}
      okText={t('make-password')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={() => action.run({ targetUserId: row.userId }, (answer) => setPassword(answer.password))}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('initial-password-how')}
      </Text>
      <Problem text={action.problem} />
    </Modal>
  )
}
