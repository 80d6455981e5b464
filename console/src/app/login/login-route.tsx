/** The log-in page inside the console: where a session ended, or was left. */
import { useNavigate, useSearchParams } from 'react-router'
import { afterLogin } from '../guard'
import { LoginPage } from './login-page'

export function LoginRoute() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const after = afterLogin(query.get('redirect'), location.origin)
  return <LoginPage after={after} onEnter={() => void navigate(after, { replace: true })} />
}
