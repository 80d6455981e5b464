/** Several robots to another owner, all or none; what becomes of their things is asked once for all. */
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, Problem } from '@/widgets/field'
import { OwnerTree } from '@/widgets/owner-tree'
import { type Things, ThingsChoice } from '@/widgets/things-choice'
import { useDeed } from '@/widgets/use-deed'

interface Props {
  ids: number[]
  onClose(): void
  onDone(): void
}

export function OwnersDialog({ ids, onClose, onDone }: Props) {
  const { t } = useTranslation('fleet')
  const [owner, setOwner] = useState<number>()
  const [things, setThings] = useState<Things>('keep')
  const deed = useDeed('/device/updateDevicesOwner', t('device:change-owner'), ['ownerUserId'])
  const send = () => {
    if (owner === undefined) return
    deed.run({ deviceIds: ids, ownerUserId: owner, things }, () => {
      onClose()
      onDone()
    })
  }
  return (
    <Modal
      open
      title={t('owner-of-many', { count: ids.length })}
      okText={t('asset:give-away')}
      cancelText={t('back')}
      okButtonProps={{ loading: deed.busy, disabled: owner === undefined, danger: things === 'erase' }}
      onOk={send}
      onCancel={onClose}
    >
      <Field label={t('owner')} fault={deed.problemAt('ownerUserId')}>
        <OwnerTree
          wide
          value={owner}
          onChange={setOwner}
          words={{ label: t('owner'), every: t('choose-owner'), named: String }}
        />
      </Field>
      <ThingsChoice value={things} onChange={setThings} />
      <Problem text={deed.problem} />
    </Modal>
  )
}
