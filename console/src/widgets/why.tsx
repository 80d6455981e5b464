/** Why something is as it is, by a reason of the catalogue; nothing where there is no reason. */
import { useTranslation } from '@/shared/i18n/text'
import { refusalKey } from './refusal-text'

export function Why({ reason }: { reason: string }) {
  const { t } = useTranslation('robot')
  const key = reason && refusalKey({ reason, message: reason })
  return key ? <small>{t(key)}</small> : null
}
