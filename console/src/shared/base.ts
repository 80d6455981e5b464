/**
 * Where the console lies below a path of its host (`/lustra`), or nowhere (empty): as the server's page says, unless this
 * page was opened at the server's own port. Paths within the console and addresses on the wire are without it; what the
 * browser itself is given has it.
 */
const named = document.documentElement.dataset.base ?? ''

export const BASE = `${location.pathname}/`.startsWith(`${named}/`) ? named : ''

/** A path of the browser's without it. */
export const withoutBase = (path: string) => (path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path)

const API = '/api/'

/** JSON of an answer, with addresses of the server as the browser needs them. */
export const parseJson = (text: string) =>
  BASE
    ? JSON.parse(text, (_, value) => (typeof value === 'string' && value.startsWith(API) ? BASE + value : value))
    : JSON.parse(text)

/** JSON of what is sent, with addresses of the server as it knows them. */
export const toJson = (payload: object) =>
  JSON.stringify(payload, (_, value) =>
    typeof value === 'string' && value.startsWith(BASE + API) ? withoutBase(value) : value,
  )
