/** A new first password for an account, after a word about what it ends. */
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '@/widgets/field'
import { useDeed } from '@/widgets/use-deed'
import { FirstPassword } from './first-password'
import styles from './people.module.css'
import type { UserRow } from './person'

export function InitialDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation('people')
  const [password, setPassword] = useState<string>()
  const deed = useDeed('/user/updateInitialPassword', t('initial-password'))
  if (password !== undefined)
    return <FirstPassword account={row.account} name={row.name} password={password} onClose={onClose} />
  return (
    <Modal
      open
      title={t('initial-password-of', { name: row.name })}
      okText={t('make-password')}
      cancelText={t('back')}
      okButtonProps={{ loading: deed.busy }}
      onOk={() => deed.run({ targetUserId: row.userId }, (made) => setPassword(made.password))}
      onCancel={onClose}
    >
      <p className={styles.says}>{t('initial-password-how')}</p>
      <Problem text={deed.problem} />
    </Modal>
  )
}
