/** What a call can end in, other than an answer. */

/** A business answer with a code that is no success; `message` is the server's text, in the user's language. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly code: number,
    message: string,
    /** The refused input, where the server names it. */
    readonly field = '',
    readonly data: unknown = undefined,
  ) {
    super(message)
  }
}

/** The transport failed: an HTTP status outside 2xx, or 0 when nothing answered. */
export class Unreached extends Error {
  override readonly name = 'Unreached'
  constructor(
    readonly status: number,
    readonly url: string,
  ) {
    super(`${status} ${url}`)
  }
}

/** The session is over; it has been said already, so nobody else shows it. */
export class LoggedOut extends Error {
  override readonly name = 'LoggedOut'
}
