/** A session that ends anywhere leads to the log-in page, which says why, and back to the same page afterwards. */
import { useSessionStore } from '@/shared/rpc/session'
import { loginPath } from './guard'

interface Router {
  state: { location: { pathname: string; search: string; hash: string } }
  navigate(to: string, options?: { replace: boolean }): Promise<void>
}

export const followSession = (router: Router) =>
  useSessionStore.subscribe(({ session }, before) => {
    if (session || !before.session) return
    const { pathname, search, hash } = router.state.location
    void router.navigate(loginPath(pathname + search + hash), { replace: true })
  })
