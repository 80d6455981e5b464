/** How much of one kind the account holds and how much it may, where it brings more of it. */
import { IconAlertTriangle } from '@tabler/icons-react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import styles from './quota-line.module.css'

const NEAR = 0.9

interface Props {
  kind: Answer<'/oss/holdings'>[number]['kind']
}

export function QuotaLine({ kind }: Props) {
  const held = useCall('/oss/holdings').data?.find((row) => row.kind === kind)
  return held?.limit ? (
    <div className={styles.below}>
      <SpaceLine {...held} />
    </div>
  ) : null
}

/** Bytes. */
export function SpaceLine({ used, limit }: { used: number; limit: number }) {
  const { t } = useTranslation('robot')
  const { bytes } = useFormats()
  const sizes = { used: bytes(used), limit: bytes(limit) }
  if (used < NEAR * limit) return <p className={styles.line}>{t('quota-used', sizes)}</p>
  return (
    <p className={`${styles.line} ${styles.near}`} role="status">
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
      {t(used < limit ? 'quota-near' : 'quota-full', sizes)}
    </p>
  )
}
