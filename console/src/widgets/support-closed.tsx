/** Stands where a customer keeps dealers and staff out: why nothing is shown, and the way to ask for it. */
import { IconLock } from '@tabler/icons-react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { useSend } from '@/shared/rpc/hooks'
import styles from './support-closed.module.css'

interface Props {
  /** The customer, or an account below it: whose data these are. */
  ownerId: number
}

export function SupportClosed({ ownerId }: Props) {
  const { t } = useTranslation('robot')
  return (
    <div className={styles.closed} role="status">
      <p className={styles.why}>
        <IconLock size={20} aria-hidden="true" />
        <span>{t('support-closed-why')}</span>
      </p>
      <AskSupport ownerId={ownerId} />
    </div>
  )
}

export function AskSupport({ ownerId }: Props) {
  const { t } = useTranslation('robot')
  const errorText = useErrorText()
  const ask = useSend('/support/ask', { quiet: true })
  if (ask.isSuccess) return <span role="status">{t('support-asked')}</span>
  return (
    <>
      <Button size="small" loading={ask.isPending} onClick={() => ask.mutate({ customerId: ownerId })}>
        {t('support-ask')}
      </Button>
      {ask.error && <span role="alert">{errorText(ask.error, t('support-ask'))}</span>}
    </>
  )
}

/** In a list or a tile. */
export function SupportLock() {
  const { t } = useTranslation('robot')
  return (
    <span className={styles.why}>
      <IconLock size={16} aria-hidden="true" />
      <span>{t('support-closed')}</span>
    </span>
  )
}
