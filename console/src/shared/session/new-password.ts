/** What the server refuses in a new password, as far as it can be said before sending: the common ones it knows alone. */
import { SHORTEST_PASSWORD } from '../rpc/people'

/** Characters that a password has at least beside the login name. */
const FEWEST_BESIDE_NAME = 5

/** The key of the text that says why not; undefined: send it. */
export function passwordFault(typed: string, account: string, old: string) {
  if (typed.length < SHORTEST_PASSWORD) return 'shell:password-short'
  if (!typed.trim()) return 'shell:password-spaces'
  if (typed === old) return 'shell:password-same'
  const [password, name] = [typed.normalize('NFKC').toLowerCase(), account.toLowerCase()]
  const besides = password.includes(name) ? password.replaceAll(name, '').length : password.length
  if (name && (name.includes(password) || besides < FEWEST_BESIDE_NAME)) return 'shell:password-like-name'
  return undefined
}
