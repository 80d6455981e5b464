/**
 * Back from the provider of single sign-on, the log-in page is opened with a code for a log-in, a code to connect an
 * account, or the name of a refusal. A loader takes it: exactly once, and out of the URL.
 */
import i18next from 'i18next'
import { redirect, replace } from 'react-router'
import { adoptLanguage, currentLanguage, loadTexts } from '@/shared/i18n/i18n'
import { call } from '@/shared/rpc/call'
import { errorText } from '@/shared/rpc/error-text'
import { begin, currentSession, type LoggedIn } from '@/shared/rpc/session'
import { setSignedOn } from '@/shared/rpc/signed-on'
import { afterLogin } from '../guard'

const REFUSALS: ReadonlySet<string> = new Set(['SSO_PROVIDER', 'SSO_REFUSED', 'SSO_OVER'])

async function said(error: unknown): Promise<string> {
  await loadTexts('login')
  const t = i18next.getFixedT(null, 'login')
  return errorText(t, error as Error, t('sso')) ?? t('session-expired')
}

async function refusal(name: string): Promise<string> {
  await loadTexts('login')
  return i18next.t(`login:refused-${REFUSALS.has(name) ? name : 'other'}`)
}

/** What the log-in page has to say, or the way to the page that was asked for. */
export async function cameBack({ request }: { request: Request }): Promise<Response | string | null> {
  const asked = new URL(request.url).searchParams
  const [code, connect, refused] = ['code', 'connect', 'refused'].map((name) => asked.get(name))
  const page = afterLogin(asked.get('redirect'), location.origin)
  if (code) {
    try {
      const session = await call('/sso/exchange', { code, language: currentLanguage() })
      begin(session as LoggedIn)
      await adoptLanguage(session.language)
      return replace(page)
    } catch (error) {
      if (!currentSession()) return said(error)
      return redirect(page)
    }
  }
  if (!currentSession()) return refused ? refusal(refused) : null
  if (refused) setSignedOn({ problem: await refusal(refused) })
  if (connect) {
    try {
      await call('/sso/connect', { code: connect })
      setSignedOn({})
    } catch (error) {
      setSignedOn({ problem: await said(error) })
    }
  }
  return replace(page)
}
