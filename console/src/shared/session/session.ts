/**
 * Who is logged in here. Token and uuid live in cookies and in local storage; the server counts only
 * the header. A session stands when the token cookie AND the stored user id are there. Another tab's log-out ends this one too.
 */
import { create } from 'zustand'
import { BASE } from '../base'

export const VERSION = '1.20.0'
/** As long as browsers keep a cookie: a restart logs nobody out. The server ends sessions that nobody uses. */
const COOKIE_S = 400 * 24 * 3600
const STORE = `lustra-${VERSION}-session${BASE}`

export interface Session {
  readonly userId: number
  readonly token: string
  readonly uuid: string
  readonly account: string
  readonly name: string
  readonly url: string
  readonly levelDepth: number
  readonly shadowId: number | null
  /** What the provider of single sign-on is called, maybe nothing; null: there is none. Absent: logged in before there was any. */
  readonly sso?: string | null
  /** Of a screen on a wall: it stands in the page's address and is kept nowhere else. */
  readonly wall?: true
  /** Whether it says what tablets of its robots look like. Absent: logged in before anybody could. */
  readonly brandsTablets?: boolean
  /** Permission key to true, made of the login's permissionBeans. */
  readonly permissionKeys: Readonly<Record<string, true>>
}

/** The data of /login. */
export interface LoggedIn extends Omit<Session, 'permissionKeys'> {
  readonly permissionBeans: readonly { key: string }[]
}

export function readCookie(name: string): string | undefined {
  const cookie = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`))
  return cookie && decodeURIComponent(cookie.slice(name.length + 1))
}

export function writeCookie(name: string, value: string | undefined, seconds?: number) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const age = value === undefined ? '; Max-Age=0' : seconds === undefined ? '' : `; Max-Age=${seconds}`
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is absent outside secure contexts
  document.cookie = `${name}=${encodeURIComponent(value ?? '')}; Path=${BASE || '/'}; SameSite=Strict${age}${secure}`
}

function stored(): Session | undefined {
  try {
    const session: unknown = JSON.parse(localStorage.getItem(STORE) ?? 'null')
    return isSession(session) && readCookie('token') ? session : undefined
  } catch {
    return undefined
  }
}

const isSession = (value: unknown): value is Session =>
  typeof value === 'object' && value !== null && 'userId' in value && Boolean(value.userId) && 'permissionKeys' in value

interface State {
  session: Session | undefined
  /** Why the last session ended, or the next one did not begin: shown once on the login page. */
  farewell: string | undefined
}

export const useSessionStore = create<State>(() => ({ session: stored(), farewell: undefined }))

export const currentSession = () => useSessionStore.getState().session

export function begin({ permissionBeans, ...rest }: LoggedIn) {
  const keys = Object.fromEntries(permissionBeans.map((bean) => [bean.key, true as const]))
  const session: Session = { ...rest, permissionKeys: keys }
  leaving = false
  writeCookie('token', session.token, COOKIE_S)
  writeCookie('uuid', session.uuid, COOKIE_S)
  localStorage.setItem(STORE, JSON.stringify(session))
  useSessionStore.setState({ session, farewell: undefined })
}

/** The session of a screen on a wall, for this page alone: `token` is an API key that has this one right. */
export function beginWall(token: string, key: string) {
  const nobody = { userId: 0, uuid: '', account: '', name: '', url: '', levelDepth: 0, shadowId: null }
  useSessionStore.setState({
    session: { ...nobody, token, wall: true, permissionKeys: { [key]: true } },
    farewell: undefined,
  })
}

/** The account changed its own name or picture. */
export function rename(change: Partial<Pick<Session, 'name' | 'url'>>) {
  const before = currentSession()
  if (!before) return
  const session = { ...before, ...change }
  localStorage.setItem(STORE, JSON.stringify(session))
  useSessionStore.setState({ session })
}

let leaving = false
/** The user logs out: whatever fails from now on because of that is no news. */
export const leave = () => {
  leaving = true
}

/** Forgets the credentials. Many calls may fail at once when a session dies: only the first one's message is kept. */
export function end(farewell?: string) {
  const session = currentSession()
  if (!session) return
  if (session.wall) return useSessionStore.setState({ session: undefined, farewell })
  writeCookie('token', undefined)
  writeCookie('uuid', undefined)
  localStorage.removeItem(STORE)
  useSessionStore.setState({ session: undefined, farewell: leaving ? undefined : farewell })
}

/** No session could begin. */
export const refuse = (farewell: string) => useSessionStore.setState({ farewell })

addEventListener('storage', (event) => {
  if (event.key === STORE && !currentSession()?.wall)
    useSessionStore.setState({ session: stored(), farewell: undefined })
})

export const useSession = () => useSessionStore((state) => state.session)

/** May the logged-in account do this? Keys as the specification writes them, such as `device/index/add`. */
export const useMay = (key: string) => useSessionStore((state) => state.session?.permissionKeys[key] === true)
