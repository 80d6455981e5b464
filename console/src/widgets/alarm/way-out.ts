/** For each help code and message: what it means for the work and the way out, as a key of the page's texts. */
import { isKeyOf } from '@/shared/keys'
import { faultKey } from './cause'

const WAYS = {
  'alarm-0205': 'help-path',
  'alarm-0470': 'help-refill',
  'alarm-0471': 'help-refill',
  'alarm-0472': 'help-drain',
  'alarm-0473': 'help-drain',
  'alarm-0534': 'help-sensor',
  'alarm-0535': 'help-emergency',
  'alarm-0536': 'help-manual',
  'alarm-0610': 'help-dock',
  'alarm-0612': 'help-dock',
  'alarm-0614': 'help-dock',
  'alarm-0616': 'help-dock',
  'fault-stuck': 'help-stuck',
  'fault-lost': 'help-lost',
  'fault-door-stuck': 'help-door',
  'banner-serial-connection': 'help-line',
  'alarm-odometer': 'help-restart',
  'alarm-imu': 'help-restart',
  'alarm-lidar': 'help-sensor',
  'alarm-depth-camera': 'help-sensor',
  'alarm-path-error': 'help-path',
  'alarm-path-not-solved': 'help-path',
  'alarm-map-load': 'help-map',
  'alarm-network': 'help-network',
  'alarm-positioning': 'help-lost',
} as const
/** What only the server sees. */
const OF_RULES = {
  task_missed: 'help-schedule',
  task_late: 'help-schedule',
  not_cleaned: 'help-schedule',
  upkeep_due: 'help-upkeep',
  clock_off: 'help-clock',
  elevator_wait: 'help-elevator',
  low_battery: 'help-battery',
  disinfectant_level: 'help-refill',
  offline: 'help-network',
} as const
type Way = (typeof WAYS)[keyof typeof WAYS] | (typeof OF_RULES)[keyof typeof OF_RULES]

/** Undefined for what no catalogue knows. */
export function wayOut(help: string): Way | undefined {
  if (isKeyOf(OF_RULES, help)) return OF_RULES[help]
  const key = faultKey(help)
  return key !== undefined && isKeyOf(WAYS, key) ? WAYS[key] : undefined
}
