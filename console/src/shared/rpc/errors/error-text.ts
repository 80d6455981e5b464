/** What an error says to the user: the server's text as it comes, the eleven HTTP texts, or nothing for what was said already. */
import type { TextKey, Translate } from '../../i18n/text'
import { useTranslation } from '../../i18n/text'
import { LoggedOut, Refusal, Unreached } from '../refusal'
import { failureOf } from './failures'

const WORDED = [400, 401, 403, 404, 408, 500, 501, 502, 503, 504, 505] as const

/** Also of another realm: not each is an Error here. */
const isAborted = (error: unknown) =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError'

/**
 * `action` names what failed where nothing answered, for a call without a text of its own; `other` is said of one that
 * nobody named. Undefined: say nothing.
 */
export function errorText(
  t: Translate<TextKey<'common'>>,
  error: unknown,
  action?: string,
  other: 'failed-query' | 'failed-request' = 'failed-query',
): string | undefined {
  if (error instanceof LoggedOut || isAborted(error)) return undefined
  if (error instanceof Refusal) return error.message
  if (!(error instanceof Unreached)) return action ? t('operation-failed', { action }) : t('action-failed')
  const worded = WORDED.find((status) => status === error.status)
  if (worded) return t(`http-${worded}`, { url: error.url })
  if (error.status !== 0) return t('shell:http-other', { status: error.status })
  const own = failureOf(error.url)
  if (own) return t(`shell:${own}`)
  return action ? t('operation-failed', { action }) : t(`shell:${other}`)
}

export function useErrorText(): (error: unknown, action?: string) => string | undefined {
  const { t } = useTranslation('common')
  return (error, action) => errorText(t, error, action)
}
