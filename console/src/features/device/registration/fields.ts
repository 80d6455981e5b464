/** The fields of a robot that are edited, in their order. */
import type { FormField } from '@/widgets/form/fields'
import { required } from '@/widgets/form/rules'
import { RULES } from './field-rules'

export const DEVICE_FIELDS: readonly FormField[] = [
  { name: 'deviceCode', label: 'device-name', rule: required },
  { name: 'deviceSerialNumber', label: 'serial-number', ltr: true, rule: RULES.serial },
  { name: 'deviceType', label: 'device-type', kind: 'choice', rule: required },
  { name: 'protocolVersion', label: 'protocol-version', kind: 'choice' },
  { name: 'rackNumber', label: 'rack-number', ltr: true, hint: 'hint-rack', rule: RULES.rack },
  { name: 'area', label: 'country', kind: 'choice' },
  { name: 'address', label: 'building' },
  { name: 'address1', label: 'floor' },
  { name: 'province', label: 'province' },
  { name: 'zone', label: 'shell:time-zone', kind: 'choice' },
  { name: 'latitude', label: 'latitude', kind: 'number', digits: 6, rule: RULES.latitude },
  { name: 'longitude', label: 'longitude', kind: 'number', digits: 6, rule: RULES.longitude },
  { name: 'simNo', label: 'sim-card', ltr: true, rule: RULES.sim },
  { name: 'simSupport', label: 'sim-provider', kind: 'choice', clearable: true },
  { name: 'frpHost', label: 'transfer-node', kind: 'choice' },
  { name: 'frpPort', label: 'frp-port', kind: 'number', hint: 'hint-port', rule: RULES.port },
  { name: 'sshPort', label: 'ssh-port', kind: 'number', rule: RULES.laterPort },
  { name: 'webPort', label: 'web-port', kind: 'number', rule: RULES.laterPort },
  { name: 'traffic', label: 'traffic', kind: 'number', rule: RULES.laterPort },
  { name: 'deviceUrl', label: 'device-url', ltr: true },
  { name: 'testDevice', label: 'test-device', kind: 'switch' },
]

export const SIM_PROVIDERS = ['Tianyuan mobile', 'quantum mobile', 'digital-signal telecom', 'SimBoss'] as const
