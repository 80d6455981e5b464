/** Whether each entry still is what it was when it was sealed. The chain is everybody's, so administrators alone ask. */
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/rpc/session'
import styles from './log.module.css'

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const
const FRESH_MS = 60_000 // every entry is read for it

export function Chain() {
  const { t } = useTranslation('log')
  const asks = useSession()?.levelDepth === 1
  const chain = useCall('/log/intact', {}, { enabled: asks, staleTime: FRESH_MS })
  if (!chain.data) return null
  const { position, sealed } = chain.data
  return position === null ? (
    <p className={styles.chain}>
      <IconShieldCheck {...ICON} />
      {t('chain-whole', { count: sealed })}
    </p>
  ) : (
    <p className={styles.chain} role="alert">
      <IconAlertTriangle {...ICON} />
      {t('chain-broken', { position })}
    </p>
  )
}
