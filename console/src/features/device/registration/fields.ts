/** The fields of a robot that are edited, in their order; `Entry.kind` chooses the control. */
import { type DeviceRule, RULES, required } from './field-rules'

export interface DeviceField {
  readonly name: string
  /** Key of its text. */
  readonly label: string
  readonly hint?: string
  readonly kind?: 'number' | 'type' | 'node' | 'sim' | 'country' | 'protocol' | 'port' | 'zone'
  /** Addresses, numbers and codes read from left to right in every language. */
  readonly ltr?: true
  readonly digits?: number
  readonly rule?: DeviceRule
}

export const DEVICE_FIELDS: readonly DeviceField[] = [
  { name: 'deviceCode', label: 'device-name', rule: required },
  { name: 'deviceSerialNumber', label: 'serial-number', ltr: true, rule: RULES.serial },
  { name: 'deviceType', label: 'device-type', kind: 'type', rule: required },
  { name: 'protocolVersion', label: 'protocol-version', kind: 'protocol' },
  { name: 'rackNumber', label: 'rack-number', ltr: true, hint: 'hint-rack', rule: RULES.rack },
  { name: 'area', label: 'country', kind: 'country' },
  { name: 'address', label: 'building' },
  { name: 'address1', label: 'floor' },
  { name: 'province', label: 'province' },
  { name: 'zone', label: 'time-zone', kind: 'zone' },
  { name: 'latitude', label: 'latitude', kind: 'number', digits: 6, rule: RULES.latitude },
  { name: 'longitude', label: 'longitude', kind: 'number', digits: 6, rule: RULES.longitude },
  { name: 'simNo', label: 'sim-card', ltr: true, rule: RULES.sim },
  { name: 'simSupport', label: 'sim-provider', kind: 'sim' },
  { name: 'frpHost', label: 'transfer-node', kind: 'node' },
  { name: 'frpPort', label: 'frp-port', kind: 'port', hint: 'hint-port', rule: RULES.port },
  { name: 'sshPort', label: 'ssh-port', kind: 'number', rule: RULES.laterPort },
  { name: 'webPort', label: 'web-port', kind: 'number', rule: RULES.laterPort },
]

export const SIM_PROVIDERS = ['Tianyuan mobile', 'quantum mobile', 'digital-signal telecom', 'SimBoss'] as const
