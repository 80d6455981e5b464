/** Where links of several features lead. */
interface Robot {
  readonly deviceId: number
  readonly protocolVersion: number
}

const THIRD = 3 // the protocol from which on robots have the newer layout

export const controlPath = ({ deviceId, protocolVersion }: Robot): string =>
  `/control/${protocolVersion >= THIRD ? 'v3' : 'v2'}/${deviceId}`

/** The control page, with the dialog that begins a new map as soon as control is taken. */
export const buildPath = (robot: Robot) => `${controlPath(robot)}?build=1`

export const infoPath = (deviceId: number) => `/device/info?deviceId=${deviceId}`

export const alarmsOfGroup = (group: number) => `/warn/index/warn?group=${group}`

export const alarmPath = (warnId: number) => `/index/realWarn/${warnId}`

/** One recording of sensors, opened; without an id, all of them. */
export const recordingPath = (id?: number) => `/device/log?kind=rosbag${id === undefined ? '' : `&recording=${id}`}`

interface Spot {
  readonly code: string
  readonly mapName: string
  readonly x: number | null
  readonly y: number | null
}

/** What sensors recorded of a code, near that place where it is known. */
export function recordingsPath({ code, mapName, x, y }: Spot) {
  const place = mapName && x !== null && y !== null ? { map: mapName, near: `${x.toFixed(2)},${y.toFixed(2)}` } : {}
  return `/device/log?${new URLSearchParams({ kind: 'rosbag', code, ...place })}`
}

export const mapPath = (mapId: number) => `/device/maplist/${mapId}`

export const reportPath = (taskReportId: number) => `/device/report/${taskReportId}`

export const mapsPath = (deviceId: number) => `/device/maplist?deviceId=${deviceId}`

export const videoPath = (deviceId: number) => `/device/videoHistory?device=${deviceId}`

export const sheetsPath = (mapId: number) => `/device/spotCheck/sheets?map=${mapId}`
