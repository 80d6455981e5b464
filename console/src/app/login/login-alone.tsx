/** The log-in page before there is a console: its URL is read and changed by hand, so that no router is loaded for it. */
import { BASE, withoutBase } from '@/shared/base'
import { loadTexts } from '@/shared/i18n/i18n'
import { useDocumentTheme } from '@/shared/theme/scheme'
import { afterLogin, LOGIN } from '../guard'
import { cameBack } from './came-back'
import { LoginPage } from './login-page'

/** False: the URL leads on into the console. */
export async function startLogin(): Promise<boolean> {
  const [path] = await Promise.all([cameBack(location.href), loadTexts('login')])
  if (path !== null) history.replaceState(null, '', BASE + path)
  return withoutBase(location.pathname) === LOGIN
}

export function LoginAlone({ onEnter }: { onEnter(): void }) {
  useDocumentTheme()
  const after = afterLogin(new URLSearchParams(location.search).get('redirect'), location.origin)
  const enter = () => {
    history.replaceState(null, '', BASE + after)
    onEnter()
  }
  return <LoginPage after={after} onEnter={enter} />
}
