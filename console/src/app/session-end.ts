/** A session that ends anywhere leads to the log-in page: which says why and leads back, unless the user logged out. */
import { BASE } from '@/shared/base'
import { useSessionStore } from '@/shared/session/session'
import { loginPath } from './guard'

interface Router {
  state: { location: { pathname: string; search: string; hash: string } }
  navigate(to: string, options?: { replace: boolean }): Promise<void>
}

export const followSession = (router: Router) =>
  useSessionStore.subscribe(({ session, farewell }, before) => {
    if (!before.session || before.session.wall) return // a wall says itself that its key has ended
    if (session) {
      if (session.userId !== before.session.userId) location.assign(`${BASE}/index`) // another account in another tab
      return
    }
    const { pathname, search, hash } = router.state.location
    void router.navigate(farewell === undefined ? '/login' : loginPath(pathname + search + hash), { replace: true })
  })
