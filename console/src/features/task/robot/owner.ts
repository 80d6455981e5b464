/** The robot whose things are shown. */
export interface Owner {
  readonly deviceId: number
  readonly deviceCode: string
  readonly protocolVersion: number
  readonly abilities: readonly string[]
  /** For whom it works; '' for nobody. */
  readonly customerName: string
  readonly online: boolean
}
