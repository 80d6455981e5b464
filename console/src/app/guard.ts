/** Who may see a page, and where a log-in leads. */

export const LOGIN = '/login'

/** Where to send somebody without a session: the full original path goes along. */
export const loginPath = (path: string) => `${LOGIN}?redirect=${encodeURIComponent(path)}`

/** The path to go to after log-in: only one of this origin, and never the log-in page again. */
export function afterLogin(redirect: string | null, origin: string): string {
  if (!redirect?.startsWith('/') || redirect.includes('\\')) return '/index'
  const url = new URL(redirect, origin)
  if (url.origin !== origin || url.pathname === LOGIN) return '/index'
  return url.pathname + url.search + url.hash
}
