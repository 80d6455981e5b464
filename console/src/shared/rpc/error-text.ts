/** What an error says to the user: the server's text as it comes, the eleven HTTP texts, or nothing for what was said already. */
import type { TextKey, Translate } from '../i18n/text'
import { useTranslation } from '../i18n/text'
import { LoggedOut, Refusal, Unreached } from './refusal'

const WORDED = [400, 401, 403, 404, 408, 500, 501, 502, 503, 504, 505] as const

/** `action` names the action that failed where nothing answered. Undefined: say nothing. */
export function errorText(t: Translate<TextKey<'common'>>, error: Error, action?: string): string | undefined {
  if (error instanceof LoggedOut || error.name === 'AbortError') return undefined
  if (error instanceof Refusal) return error.message
  if (!(error instanceof Unreached)) return action ? t('operation-failed', { action }) : t('action-failed')
  const worded = WORDED.find((status) => status === error.status)
  if (worded) return t(`http-${worded}`, { url: error.url })
  if (error.status !== 0) return t('shell:http-other', { status: error.status })
  return action ? t('operation-failed', { action }) : t('shell:unreachable')
}

export function useErrorText(): (error: Error, action?: string) => string | undefined {
  const { t } = useTranslation('common')
  return (error, action) => errorText(t, error, action)
}
