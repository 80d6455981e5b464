/** Records what the robot's sensors say, as a bag on its disk. */

import { InputNumber } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useOrder } from './use-order'

const { minimum: SHORTEST, maximum: LONGEST } = COMMAND_LIMITS.bag_record_trigger.seconds // s
const USUAL = 30

export function RecordDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('control')
  const order = useOrder(['seconds'])
  const [seconds, setSeconds] = useState<number | null>(USUAL)
  const [name, setName] = useState<string>()
  const wrong = seconds === null || !Number.isInteger(seconds) || seconds < SHORTEST || seconds > LONGEST
  const range = t('range', { min: SHORTEST, max: LONGEST, unit: t('unit-second') })
  const record = async () => {
    if (seconds === null) return
    const sent = await order.send({ command: 'bag_record_trigger', payload: { seconds }, label: t('record-bag') })
    if (sent) setName(sent.name)
  }
  return (
    <Modal
      open
      title={t('record-bag')}
      okText={t('record')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: order.busy, disabled: wrong || name !== undefined }}
      onOk={record}
      onCancel={onClose}
    >
      <Field label={t('record-seconds')} hint={range} fault={wrong ? range : order.problemAt('seconds')}>
        <InputNumber<number>
          value={seconds}
          suffix={t('unit-second')}
          onChange={setSeconds}
          {...(wrong && { status: 'error' as const })}
        />
      </Field>
      {name !== undefined && <p role="status">{t('recording', { name })}</p>}
      <Problem text={order.problem} />
    </Modal>
  )
}
