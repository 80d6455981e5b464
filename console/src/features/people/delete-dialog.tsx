/** Deletes an account after its login name has been typed; a refusal (accounts stand below it) is said here. */
import { Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notice } from '@/shared/ui/notice'
import { Field, Problem } from '@/widgets/field'
import { useDeed } from '@/widgets/use-deed'
import styles from './people.module.css'
import type { UserRow } from './person'

export function DeleteDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation('people')
  const [typed, setTyped] = useState('')
  const deed = useDeed('/user/deleteUserInfo', t('delete'))
  const send = () =>
    deed.run({ targetUserId: row.userId }, () => {
      notice('success', t('deleted', { name: row.name }))
      onClose()
    })
  return (
    <Modal
      open
      title={t('delete-confirm', { name: row.name })}
      okText={t('delete')}
      cancelText={t('back')}
      okButtonProps={{ danger: true, loading: deed.busy, disabled: typed.trim() !== row.account }}
      onOk={send}
      onCancel={onClose}
    >
      <p className={styles.says}>{t('delete-how')}</p>
      <Field label={t('type-login-name', { account: row.account })}>
        <Input
          autoFocus
          dir="ltr"
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            deed.reset()
          }}
        />
      </Field>
      <Problem text={deed.problem} />
    </Modal>
  )
}
