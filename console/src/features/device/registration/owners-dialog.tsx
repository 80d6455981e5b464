/** Several robots to another owner, all or none; what becomes of their things is asked once for all. */

import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Modal } from '@/shared/ui/modal'
import { type Belongings, BelongingsChoice } from '@/widgets/form/belongings-choice'
import { Field, Problem } from '@/widgets/form/field'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { useAction } from '@/widgets/form/use-action'

interface Props {
  ids: number[]
  onClose(): void
  onDone(): void
}

export function OwnersDialog({ ids, onClose, onDone }: Props) {
  const { t } = useTranslation('fleet')
  const [owner, setOwner] = useState<number>()
  const [belongings, setBelongings] = useState<Belongings>('keep')
  const action = useAction('/device/updateDevicesOwner', t('device:change-owner'), ['ownerUserId'])
  const send = () => {
    if (owner === undefined) return
    action.run({ deviceIds: ids, ownerUserId: owner, things: belongings }, () => {
      onClose()
      onDone()
    })
  }
  return (
    <Modal
      open
      title={t('owner-of-many', { count: ids.length })}
      okText={t('asset:give-away')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: owner === undefined, danger: belongings === 'erase' }}
      onOk={send}
      onCancel={onClose}
    >
      <Field label={t('owner')} fault={action.problemAt('ownerUserId')}>
        <OwnerTree
          wide
          value={owner}
          onChange={setOwner}
          words={{ label: t('owner'), every: t('choose-owner'), named: String }}
        />
      </Field>
      <BelongingsChoice value={belongings} onChange={setBelongings} />
      <Problem text={action.problem} />
    </Modal>
  )
}
