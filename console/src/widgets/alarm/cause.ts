/** Why a robot stands, in words: the catalogue's code or message key that it sends as `help`, else its state. */
import type { Keys } from '@/shared/i18n/keys'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { MODE_WORD, useModeWord } from '@/shared/marks/mode'

type RobotKey = Keys['robot' | 'common']

/** Message keys without a code, and the words for them. */
const NAMED: Readonly<Record<string, RobotKey>> = {
  stuck: 'fault-stuck',
  lost: 'fault-lost',
  serial_error: 'banner-serial-connection',
  odometer: 'alarm-odometer',
  imu: 'alarm-imu',
  lidar: 'alarm-lidar',
  depth_camera: 'alarm-depth-camera',
  path_error: 'alarm-path-error',
  path_not_solved: 'alarm-path-not-solved',
  p2p_path: 'alarm-p2p-path',
  elevator_task: 'alarm-elevator-task',
  door_stuck: 'fault-door-stuck',
  map_beyond_border: 'alarm-beyond-border',
  map_building: 'alarm-building-map',
  map_load_failed: 'alarm-map-load',
  network_abnormal: 'alarm-network',
  low_positioning_accuracy: 'alarm-positioning',
  map_quiet: 'no-map-quiet',
}
const CODES = [
  ...(['0205', '0470', '0471', '0472', '0473', '0534', '0535', '0536'] as const),
  ...(['0610', '0612', '0614', '0616'] as const),
]

/** The text's key for what a robot calls for, or undefined for a code that no catalogue has. */
export function faultKey(help: string): RobotKey | undefined {
  const sent = /^0x([0-9a-f]{4})$/i.exec(help)?.[1]
  const code = CODES.find((entry) => entry === sent)
  if (sent) return code && `alarm-${code}`
  return NAMED[help]
}

interface Standing {
  readonly mode: Mode
  readonly modeName?: string
  readonly help: string
}

/** `cause(row)`: "Path replanning failed", "Emergency stop", "Paused"; an unknown code stands beside the state's word. */
export function useCause() {
  const { t } = useTranslation('robot')
  const word = useModeWord()
  return ({ mode, modeName = '', help }: Standing): string => {
    if (mode !== 'help') return word({ mode, modeName })
    const key = faultKey(help)
    if (key) return t(key)
    return help ? `${t(MODE_WORD.help)} (${help})` : t(MODE_WORD.help)
  }
}
