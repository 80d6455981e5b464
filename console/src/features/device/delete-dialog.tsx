/** A robot leaves the installation; its serial number is typed, so that no other goes by mistake. */
import { Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notice } from '@/shared/ui/notice'
import { Field, Problem } from '@/widgets/field'
import { useDeed } from '@/widgets/use-deed'
import type { DialogProps } from './dialog-props'
import styles from './dialogs.module.css'

export function DeleteDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('asset')
  const [typed, setTyped] = useState('')
  const deed = useDeed('/device/deleteDevice', t('delete'))
  const send = () =>
    deed.run({ deviceId: row.deviceId }, () => {
      notice('success', t('deleted-robot', { name: row.deviceCode }))
      onClose()
    })
  return (
    <Modal
      open
      title={t('delete-confirm', { name: row.deviceCode })}
      okText={t('delete')}
      cancelText={t('back')}
      okButtonProps={{ danger: true, loading: deed.busy, disabled: typed.trim() !== row.deviceSerialNumber }}
      onOk={send}
      onCancel={onClose}
    >
      <p className={styles.says}>{t('delete-robot-how')}</p>
      <Field label={t('type-serial', { serial: row.deviceSerialNumber })}>
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
