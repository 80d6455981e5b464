import type { TextKey } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'

export type LogRow = Answer<'/deviceLog/list'>['list'][number]
export type Kind = LogRow['kind']

export const KINDS = ['device', 'pad', 'rosbag', 'navlog'] as const satisfies readonly Kind[]
export const KIND_WORDS = {
  device: 'common:device-log',
  pad: 'common:tablet-log',
  rosbag: 'common:rosbag',
  navlog: 'common:navigation-log',
} as const satisfies Record<Kind, TextKey>
/** Of these the robot deletes what nobody needs any more itself; the others a person may delete on it. */
export const deletable = (kind: Kind): kind is 'rosbag' | 'navlog' => kind === 'rosbag' || kind === 'navlog'

interface Place {
  readonly x: number
  readonly y: number
}

/** Where a recording was made, on its map; undefined where its robot did not say. */
export function placeOf({ trigger }: LogRow): (Place & { mapName: string }) | undefined {
  if (!trigger?.mapName || trigger.x === null || trigger.y === null) return undefined
  return { mapName: trigger.mapName, x: trigger.x, y: trigger.y }
}

/** As the address has it. */
export const nearPlace = ({ x, y }: Place) => `${x.toFixed(2)},${y.toFixed(2)}`

/** Nothing where it is no place. */
export function placeIn(near: string): Place | undefined {
  const [x, y, ...more] = near.split(',').map((text) => (text.trim() ? Number(text) : Number.NaN))
  if (x === undefined || y === undefined || more.length > 0) return undefined
  return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : undefined
}
