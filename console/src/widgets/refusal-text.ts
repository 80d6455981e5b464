/** What a relay's or robot's refusal says: the catalogue's words for its reason, else the robot's own message. */
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { RelayRefusal } from '@/shared/relay/relay'
import { useErrorText } from '@/shared/rpc/error-text'

export function useRefusalText(): (error: unknown) => string | undefined {
  const { t } = useTranslation('robot')
  const other = useErrorText()
  return (error) => {
    if (error instanceof RelayRefusal) {
      const key = `no-${error.reason.replace(/[._]/g, '-')}`
      return i18next.exists(`robot:${key}`)
        ? t(key as 'no-relay-unreachable')
        : error.message || t('no-relay-unreachable')
    }
    return error instanceof Error ? other(error) : undefined
  }
}
