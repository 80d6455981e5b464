/** A lease ends: the robot goes back, and somebody says what becomes of what it did for the lessee. */

import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { type Belongings, BelongingsChoice } from '@/widgets/form/belongings-choice'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { LeaseRow } from './rows'

export function EndDialog({ row, onClose }: { row: LeaseRow; onClose(): void }) {
  const { t } = useTranslation('records')
  const [belongings, setBelongings] = useState<Belongings>('keep')
  const action = useAction('/hire/stopHire', t('end-lease'))
  const had = row.lesseeUserId !== null
  return (
    <Modal
      open
      title={t('end-lease-of', { name: row.deviceCode })}
      okText={t('end-lease')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, danger: had && belongings === 'erase' }}
      onOk={() => action.run({ id: row.id, ...(had && { things: belongings }) }, onClose)}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t(had ? 'comes-back' : 'only-recorded')}
      </Text>
      {had && <BelongingsChoice value={belongings} onChange={setBelongings} />}
      <Problem text={action.problem} />
    </Modal>
  )
}
