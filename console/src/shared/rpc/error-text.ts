/** What an error says to the user: the server's text as it comes, the eleven HTTP texts, or nothing for what was said already. */
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { LoggedOut, Refusal, Unreached } from './refusal'

const WORDED: ReadonlySet<number> = new Set([400, 401, 403, 404, 408, 500, 501, 502, 503, 504, 505])

/** `action` names the action that failed where nothing answered. Undefined: say nothing. */
export function errorText(t: TFunction, error: Error, action?: string): string | undefined {
  if (error instanceof LoggedOut || error.name === 'AbortError') return undefined
  if (error instanceof Refusal) return error.message
  if (!(error instanceof Unreached)) return action ? t('operation-failed', { action }) : t('action-failed')
  if (WORDED.has(error.status)) return t(`http-${error.status}`, { url: error.url })
  if (error.status !== 0) return t('shell:http-other', { status: error.status })
  return action ? t('operation-failed', { action }) : t('shell:unreachable')
}

export function useErrorText(): (error: Error, action?: string) => string | undefined {
  const { t } = useTranslation('common')
  return (error, action) => errorText(t, error, action)
}
