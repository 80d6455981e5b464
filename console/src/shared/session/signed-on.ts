/** How connecting the own account for single sign-on ended: from the log-in page's loader to the account's menu. */

interface SignedOn {
  /** Undefined: it is connected. */
  readonly problem?: string
}

let ended: SignedOn | undefined

export const setSignedOn = (how: SignedOn) => {
  ended = how
}
export const signedOn = () => ended
export const forgetSignedOn = () => {
  ended = undefined
}
