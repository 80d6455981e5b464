/** A new name; what the robot refuses is said at the field. */

import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { Modal } from '@/shared/ui/modal'
import { Field } from '@/widgets/form/field'

interface Props {
  name: string
  busy: boolean
  problem: string | undefined
  forget(): void
  onRename(name: string): void
  onClose(): void
}

export function RenameDialog({ name: old, busy, problem, forget, onRename, onClose }: Props) {
  const { t } = useTranslation('task')
  const [name, setName] = useState(old)
  const newName = name.trim()
  return (
    <Modal
      open
      title={t('rename-named', { name: old })}
      okText={t('rename')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy, disabled: newName === '' || newName === old }}
      onOk={() => onRename(newName)}
      onCancel={onClose}
    >
      <Field label={t('name')} fault={problem}>
        <Input
          autoFocus
          value={name}
          maxLength={COMMAND_LIMITS.task_rename.new_name.maxLength}
          onChange={(event) => {
            forget()
            setName(event.target.value)
          }}
        />
      </Field>
    </Modal>
  )
}
