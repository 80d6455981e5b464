/** Robots on the map: which are shown, how they count, and what they are called together. No map library here. */
import type { Mode } from '@/shared/live/frames'
import { MODES } from '@/shared/live/telemetry'
import type { Answer } from '@/shared/rpc/contract'
import { mercator } from '@/widgets/world/outline'

export type Placed = Answer<'/device/selectDevicePlaces'>['list'][number]
export type Counts = Partial<Record<Mode, number>>

export interface Filters {
  readonly mode: Mode | undefined
  readonly owner: number | undefined
  /** Only robots without a place. */
  readonly unplaced: boolean
}

export function readFilters(query: URLSearchParams): Filters {
  const owner = query.get('userId')
  return {
    mode: MODES.find((mode) => mode === query.get('mode')),
    owner: owner && /^[1-9]\d{0,15}$/.test(owner) ? Number(owner) : undefined,
    unplaced: query.get('place') === 'none',
  }
}

export function writeFilters({ mode, owner, unplaced }: Filters): URLSearchParams {
  const query = new URLSearchParams()
  if (mode) query.set('mode', mode)
  if (owner) query.set('userId', String(owner))
  if (unplaced) query.set('place', 'none')
  return query
}

export const hasPlace = ({ latitude, longitude }: Placed) => latitude !== null && longitude !== null

/** The robots with what they do now, in the order of need. */
export function inModes(robots: readonly Placed[], modes: ReadonlyMap<number, Mode> = new Map()): readonly Placed[] {
  const now = robots.map((robot) => {
    const mode = modes.get(robot.deviceId) ?? robot.mode
    return mode === robot.mode ? robot : { ...robot, mode }
  })
  return now.every((robot, place) => robot === robots[place])
    ? robots
    : now.sort((a, b) => MODES.indexOf(a.mode) - MODES.indexOf(b.mode))
}

/** In the order of need, which is that of MODES. */
export function countsOf(robots: readonly Placed[]): Counts {
  const counts: Counts = {}
  for (const { mode } of robots) counts[mode] = (counts[mode] ?? 0) + 1
  return counts
}

/** The state of the robot that needs somebody most. */
export const worst = (counts: Counts): Mode => MODES.find((mode) => counts[mode]) ?? 'offline'

export interface Spot {
  readonly key: string
  readonly longitude: number
  readonly latitude: number
  readonly count: number
  readonly counts: Counts
  /** Of a single robot; a cluster has none. */
  readonly robot: number | undefined
}

/** For MapLibre, whose worker makes the clusters. */
export const collection = (robots: readonly Placed[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: robots.filter(hasPlace).map(({ deviceId, mode, longitude, latitude }) => ({
    type: 'Feature',
    id: deviceId,
    properties: { id: deviceId, mode },
    geometry: { type: 'Point', coordinates: [Number(longitude), Number(latitude)] },
  })),
})

/** What changes of a collection where the robots are the same ones, at the same places; undefined: they are others. */
export function modeChanges(before: readonly Placed[], now: readonly Placed[]) {
  const robots = new Map(before.map((robot) => [robot.deviceId, robot]))
  const same = ({ deviceId, latitude, longitude }: Placed) => {
    const robot = robots.get(deviceId)
    return robot?.latitude === latitude && robot.longitude === longitude
  }
  if (before.length !== now.length || !now.every(same)) return
  return now
    .filter((robot) => hasPlace(robot) && robot.mode !== robots.get(robot.deviceId)?.mode)
    .map(({ deviceId, mode }) => ({ id: deviceId, addOrUpdateProperties: [{ key: 'mode', value: mode }] }))
}

/** Clusters without the map library: robots of one cell of a grid stand together, in their middle. */
export function gridded(robots: readonly Placed[], cells: number): Spot[] {
  const byPlace = new Map<string, Placed[]>()
  for (const robot of robots.filter(hasPlace)) {
    const [x, y] = mercator(Number(robot.longitude), Number(robot.latitude))
    const key = `${Math.floor(x * cells)}:${Math.floor(y * cells)}`
    const neighbours = byPlace.get(key)
    if (neighbours) neighbours.push(robot)
    else byPlace.set(key, [robot])
  }
  const mean = (of: readonly Placed[], coordinate: (robot: Placed) => number) =>
    of.reduce((sum, robot) => sum + coordinate(robot), 0) / of.length
  return [...byPlace].map(([key, several]) => ({
    key,
    longitude: mean(several, (robot) => Number(robot.longitude)),
    latitude: mean(several, (robot) => Number(robot.latitude)),
    count: several.length,
    counts: countsOf(several),
    robot: several.length === 1 ? several[0]?.deviceId : undefined,
  }))
}

/** Robots in the cell of a spot. */
export function inCell(robots: readonly Placed[], cells: number, key: string): Placed[] {
  return robots.filter(hasPlace).filter((robot) => {
    const [x, y] = mercator(Number(robot.longitude), Number(robot.latitude))
    return `${Math.floor(x * cells)}:${Math.floor(y * cells)}` === key
  })
}
