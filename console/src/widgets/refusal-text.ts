/** What a relay's or robot's refusal says: the catalogue's words for its reason, else the robot's own message; never a bare key. */
import type { Keys } from '@/shared/i18n/keys'
import { isTextKey, useTranslation } from '@/shared/i18n/text'
import { RelayRefusal } from '@/shared/relay/relay'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { faultKey } from './alarm/cause'

const isKey = (text: string) => /^[\w.]*$/.test(text)

/** The text's key for a refusal's reason; undefined: only its own message can say it. */
export function refusalKey({
  reason,
  message,
}: Pick<RelayRefusal, 'reason' | 'message'>): Keys['robot' | 'common'] | undefined {
  const key = `no-${reason.replace(/[._]/g, '-')}`
  if (isTextKey('robot', key)) return key
  if (reason.startsWith('input_')) return 'no-input-wrong'
  return faultKey(reason) ?? (isKey(message) ? 'no-robot-failed' : undefined)
}

/** `action` names what failed where nothing answered. */
export function useRefusalText(): (error: unknown, action?: string) => string | undefined {
  const { t } = useTranslation('robot')
  const other = useErrorText()
  return (error, action) => {
    if (error instanceof RelayRefusal) {
      const key = refusalKey(error)
      return key ? t(key) : error.message
    }
    return error instanceof Error ? other(error, action) : undefined
  }
}
