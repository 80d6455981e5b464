/** How many messages nobody has read yet. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import styles from './header.module.css'

const MOST = 99

export const useUnread = (enabled: boolean): number =>
  useCall('/message/findMessageByUnRead', {}, { enabled }).data?.count ?? 0

/** For those who do not see the dot. */
export function useNews(unread: number): string {
  const { t } = useTranslation('common')
  const count = t('count-messages', { count: unread })
  return unread > 0 ? `, ${count}` : ''
}

/** What the badge says, and what its label has to say with it. */
export function useCountText(): (count: number) => string {
  const { number } = useFormats()
  return (count) => (count > MOST ? `${number(MOST)}+` : number(count))
}

export function Count({ count }: { count: number }) {
  const text = useCountText()
  return (
    <bdi dir="ltr" className={styles.count}>
      {text(count)}
    </bdi>
  )
}
