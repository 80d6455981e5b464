/** What may stand in a robot's fields: the same rules as the server's (domains/device/rules.py). A rule gives the key of what is wrong. */
import type { TextKey } from '@/shared/i18n/text'
import type { Rule } from '@/widgets/form/fields'
import { required } from '@/widgets/form/rules'

type Fault = TextKey<'asset'>
type AssetRule = Rule<Fault>

const FIRST_PORT = 20_000
const LAST_PORT = 30_000

const matches =
  (pattern: RegExp, fault: Fault): AssetRule =>
  (value) =>
    value && !pattern.test(String(value).trim()) ? fault : undefined

const within =
  (least: number, most: number, fault: Fault): AssetRule =>
  (value) =>
    value !== null && (Number(value) < least || Number(value) > most) ? fault : undefined

const port = within(FIRST_PORT, LAST_PORT, 'fault-port')

export const RULES = {
  serial: (value, all) =>
    required(value, all) ?? matches(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,30}[A-Za-z0-9])?$/, 'fault-serial')(value, all),
  rack: matches(/^[A-Za-z][A-Za-z-]*[0-9]+$/, 'fault-rack'),
  sim: matches(/^[0-9]{10,20}$/, 'fault-sim'),
  port,
  /** The tunnel's port comes first. */
  laterPort: (value, all) =>
    port(value, all) ?? (value !== null && (all.frpPort ?? null) === null ? 'fault-port-first' : undefined),
  latitude: within(-90, 90, 'fault-latitude'),
  longitude: within(-180, 180, 'fault-longitude'),
} as const satisfies Record<string, AssetRule>
