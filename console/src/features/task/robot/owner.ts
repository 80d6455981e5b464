/** The robot whose things are shown. */
export interface Owner {
  readonly deviceId: number
  readonly deviceCode: string
  readonly protocolVersion: number
  readonly abilities: readonly string[]
  readonly online: boolean
}
