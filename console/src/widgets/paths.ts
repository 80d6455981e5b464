/** Where links of several features lead. */
interface Robot {
  readonly deviceId: number
  readonly protocolVersion: number
}

const CONTROLLED_FROM = 3 // the control page speaks to robots of this protocol

export const controlPath = ({ deviceId, protocolVersion }: Robot): string | undefined =>
  protocolVersion >= CONTROLLED_FROM ? `/control/v3/${deviceId}` : undefined

export const infoPath = (deviceId: number) => `/device/info?deviceId=${deviceId}`

export const mapsPath = (deviceId: number) => `/device/maplist?deviceId=${deviceId}`
