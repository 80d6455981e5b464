/**
 * Back from the provider of single sign-on, the log-in page is opened with a code for a log-in, a code to connect an
 * account, or the name of a refusal. It is taken exactly once, and out of the URL.
 */
import { adoptLanguage, currentLanguage, loadTexts } from '@/shared/i18n/i18n'
import { textOr, translate } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { errorText } from '@/shared/rpc/errors/error-text'
import { begin, currentSession, refuse } from '@/shared/session/session'
import { setSignedOn } from '@/shared/session/signed-on'
import { afterLogin, loginPath } from '../guard'

function messageOf(error: unknown): string {
  return errorText(translate, error, translate('login:sso')) ?? translate('session-expired')
}

function refusal(name: string): string {
  return textOr(translate, `login:refused-${name}`, translate('login:refused-other'))
}

async function enter(code: string): Promise<void> {
  const session = await call('/sso/exchange', { code, language: currentLanguage() })
  begin(session)
  await adoptLanguage(session.language)
}

/** Of the link that a mail brought for a new password; what stands after # reaches no server. */
export const resetCodeOf = (url: string): string => new URLSearchParams(new URL(url).hash.slice(1)).get('reset') ?? ''

/** The path to go on to from this URL; null: the log-in page as it stands. */
export async function cameBack(url: string): Promise<string | null> {
  const query = new URL(url).searchParams
  const [code, connect, refused] = ['code', 'connect', 'refused'].map((name) => query.get(name))
  const page = afterLogin(query.get('redirect'), location.origin)
  if (!(code || connect || refused)) return currentSession() && !resetCodeOf(url) ? page : null
  await loadTexts('login') // from here on the language is known
  let problem = refused ? refusal(refused) : undefined
  try {
    if (code) await enter(code)
    else if (connect && currentSession()) await call('/sso/connect', { code: connect })
  } catch (error) {
    problem = messageOf(error)
  }
  if (currentSession()) {
    if (!code) setSignedOn(problem === undefined ? {} : { problem })
    return page
  }
  if (problem !== undefined) refuse(problem)
  return loginPath(page)
}
