/** The server's rules for the entries of these lists, said before it is asked. Each gives the key of a text. */
import { FIRST_PORT, LAST_PORT, LONGEST_FLOOR } from '@/shared/rpc/places'

const PHONE = /^[0-9]{11}$/

export type RegistryValue = string | number | boolean | null | readonly number[]
export type RegistryValues = Readonly<Record<string, RegistryValue>>
export type RegistryRule = (value: RegistryValue, all: RegistryValues) => string | undefined

const text = (value: RegistryValue) => String(value ?? '').trim()

export const named: RegistryRule = (value) => (text(value) ? undefined : 'fault-name')

export const chosen =
  (fault: string): RegistryRule =>
  (value) =>
    value === null || (Array.isArray(value) && value.length === 0) ? fault : undefined

const LONGEST_RACK = 32
const RACKS = /^([A-Z][A-Z-]*)([0-9]+)-([A-Z][A-Z-]*)([0-9]+)$/

/** Two ends of one prefix and one width, the second greater: SC0001-SC0030. */
export const rackRange: RegistryRule = (value) => {
  const [, prefix = '', first = '', same = '', last = ''] = RACKS.exec(text(value).toUpperCase()) ?? []
  const fits = prefix && prefix === same && first.length === last.length && first < last
  return fits && prefix.length + first.length <= LONGEST_RACK ? undefined : 'fault-range'
}

export const port: RegistryRule = (value) =>
  value === null || (Number(value) >= FIRST_PORT && Number(value) <= LAST_PORT) ? undefined : 'fault-port'

export const lastPort: RegistryRule = (value, all) =>
  port(value, all) ?? (Number(value) < Number(all.frpPort) ? 'fault-port-order' : undefined)

export const phone: RegistryRule = (value) => (!text(value) || PHONE.test(text(value)) ? undefined : 'fault-phone')

/** A domain, or a whole address without user, query and fragment. */
export const address: RegistryRule = (value) => {
  const typed = text(value)
  try {
    const url = new URL(typed.includes('://') ? typed : `https://${typed}`)
    const plain = ['http:', 'https:'].includes(url.protocol) && !/[?#@\\\s]/.test(typed)
    return plain && url.hostname ? undefined : 'fault-address'
  } catch {
    return 'fault-address'
  }
}

export const addressOrNone: RegistryRule = (value, all) => (text(value) ? address(value, all) : undefined)

export const floorsOf = (value: RegistryValue) =>
  text(value)
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

export const floors: RegistryRule = (value) => {
  const names = floorsOf(value)
  if (names.length === 0) return 'fault-floors'
  if (new Set(names).size < names.length) return 'fault-floors-twice'
  return names.some((name) => name.length > LONGEST_FLOOR) ? 'fault-floors-long' : undefined
}
