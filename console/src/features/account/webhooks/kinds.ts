/** The kinds of changes, in the order in which they are offered; the type refuses one that is missing here. */
import type { TextKey } from '@/shared/i18n/text'
import type { Payload } from '@/shared/rpc/contract'

export type ChangeKind = Exclude<NonNullable<Payload<'/webhook/insert'>['kinds']>, string>[number]

export const KINDS: Readonly<Record<ChangeKind, TextKey<'webhook'>>> = {
  'device.added': 'kind.device.added',
  'device.removed': 'kind.device.removed',
  'device.online': 'kind.device.online',
  'device.offline': 'kind.device.offline',
  'device.mode': 'kind.device.mode',
  'fault.began': 'kind.fault.began',
  'fault.ended': 'kind.fault.ended',
  'alarm.raised': 'kind.alarm.raised',
  'alarm.resolved': 'kind.alarm.resolved',
  'run.began': 'kind.run.began',
  'run.ended': 'kind.run.ended',
  'report.created': 'kind.report.created',
  'map.changed': 'kind.map.changed',
  'map.deleted': 'kind.map.deleted',
  'message.created': 'kind.message.created',
}
