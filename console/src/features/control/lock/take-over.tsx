/** Takes control from whoever holds it: the holder and the log get the reason. */

import { useQueryClient } from '@tanstack/react-query'
import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { Duration } from './duration'
import type { Minutes } from './lock'

interface Props {
  deviceId: number
  owner: string
  onClose(): void
}

export function TakeOver({ deviceId, owner, onClose }: Props) {
  const { t } = useTranslation('control')
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const [minutes, setMinutes] = useState<Minutes>(30)
  const action = useAction('/device/takeOverControl', t('take-over'), ['reason'])
  const take = () =>
    action.run({ deviceId, minutes, reason: reason.trim() }, () => {
      void queries.invalidateQueries({ queryKey: ['device', '/device/control'] })
      onClose()
    })
  return (
    <Modal
      open
      title={t('take-over-from', { name: owner })}
      okText={t('take-over')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: reason.trim() === '' }}
      onOk={take}
      onCancel={onClose}
    >
      <Field
        label={t('take-over-reason')}
        hint={t('take-over-how', { name: owner })}
        fault={action.problemAt('reason')}
      >
        <Input
          autoFocus
          value={reason}
          maxLength={LIMITS['/device/takeOverControl'].reason.maxLength}
          onChange={(event) => setReason(event.target.value)}
          onPressEnter={() => reason.trim() && take()}
        />
      </Field>
      <Field label={t('control-duration')}>
        <Duration value={minutes} onChange={setMinutes} />
      </Field>
      <Problem text={action.problem} />
    </Modal>
  )
}
