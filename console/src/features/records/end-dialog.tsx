/** A lease ends: the robot goes back, and somebody says what becomes of what it did for the lessee. */
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '@/widgets/field'
import { type Things, ThingsChoice } from '@/widgets/things-choice'
import { useDeed } from '@/widgets/use-deed'
import styles from './records.module.css'
import type { LeaseRow } from './rows'

export function EndDialog({ row, onClose }: { row: LeaseRow; onClose(): void }) {
  const { t } = useTranslation('records')
  const [things, setThings] = useState<Things>('keep')
  const deed = useDeed('/hire/stopHire', t('end-lease'))
  const had = row.lesseeUserId !== null
  return (
    <Modal
      open
      title={t('end-lease-of', { name: row.deviceCode })}
      okText={t('end-lease')}
      cancelText={t('back')}
      okButtonProps={{ loading: deed.busy, danger: had && things === 'erase' }}
      onOk={() => deed.run({ id: row.id, ...(had && { things }) }, onClose)}
      onCancel={onClose}
    >
      <p className={styles.says}>{t(had ? 'comes-back' : 'only-recorded')}</p>
      {had && <ThingsChoice value={things} onChange={setThings} />}
      <Problem text={deed.problem} />
    </Modal>
  )
}
