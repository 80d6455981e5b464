/** Whether each entry still is what it was when it was sealed, as the last check found. The chain is everybody's, so
 * administrators alone ask. */
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const
const FRESH_MS = 60_000 // as often as the server checks anew when it is asked

export function Chain() {
  const { t } = useTranslation('log')
  const { exact } = useFormats()
  const asks = useSession()?.levelDepth === 1
  const chain = useCall('/log/intact', {}, { enabled: asks, staleTime: FRESH_MS })
  if (!chain.data) return null
  const { position, reason, sealed, checkTime } = chain.data
  if (checkTime === null)
    return (
      <Row as="p" gap="s" align="center" size="small" tone="soft">
        {t('chain-unchecked')}
      </Row>
    )
  const checked = <time dateTime={checkTime}>{t('chain-checked', { time: exact(Date.parse(checkTime)) })}</time>
  return position === null ? (
    <Row as="p" gap="s" align="center" size="small" tone="soft">
      <IconShieldCheck {...ICON} />
      {t('chain-whole', { count: sealed })} · {checked}
    </Row>
  ) : (
    <Row as="p" gap="s" align="center" size="small" tone="help" strong role="alert">
      <IconAlertTriangle {...ICON} />
      {t(reason === 'anchor' ? 'chain-cut' : 'chain-broken', { position })} {checked}
    </Row>
  )
}
