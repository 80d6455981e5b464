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
