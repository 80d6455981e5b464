/** The server's rules for the entries of these lists, said before it is asked. Each gives the key of a text. */
import { PHONE } from '@/shared/rpc/people'
import { FIRST_PORT, LAST_PORT, LONGEST_FLOOR } from '@/shared/rpc/places'
import type { Rule, Value } from '@/widgets/form/fields'
import { needed } from '@/widgets/form/rules'

const phoneNumber = new RegExp(`^(?:${PHONE})$`)

const text = (value: Value) => String(value ?? '').trim()

export const required = needed('fault-name')

const LONGEST_RACK = 32
const RACKS = /^([A-Z][A-Z-]*)([0-9]+)-([A-Z][A-Z-]*)([0-9]+)$/

/** Two ends of one prefix and one width, the second greater: SC0001-SC0030. */
export const rackRange: Rule = (value) => {
  const [, prefix = '', first = '', same = '', last = ''] = RACKS.exec(text(value).toUpperCase()) ?? []
  const fits = prefix && prefix === same && first.length === last.length && first < last
  return fits && prefix.length + first.length <= LONGEST_RACK ? undefined : 'fault-range'
}

export const port: Rule = (value) =>
  value === null || (Number(value) >= FIRST_PORT && Number(value) <= LAST_PORT) ? undefined : 'fault-port'

export const lastPort: Rule = (value, all) =>
  port(value, all) ?? (Number(value) < Number(all.frpPort) ? 'fault-port-order' : undefined)

export const phone: Rule = (value) => (!text(value) || phoneNumber.test(text(value)) ? undefined : 'fault-phone')

/** A domain, or a whole address without user, query and fragment. */
export const address: Rule = (value) => {
  const typed = text(value)
  try {
    const url = new URL(typed.includes('://') ? typed : `https://${typed}`)
    const plain = ['http:', 'https:'].includes(url.protocol) && !/[?#@\\\s]/.test(typed)
    return plain && url.hostname ? undefined : 'fault-address'
  } catch {
    return 'fault-address'
  }
}

export const addressOrNone: Rule = (value, all) => (text(value) ? address(value, all) : undefined)

export const floorsOf = (value: Value) =>
  text(value)
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

export const floors: Rule = (value) => {
  const names = floorsOf(value)
  if (names.length === 0) return 'fault-floors'
  if (new Set(names).size < names.length) return 'fault-floors-twice'
  return names.some((name) => name.length > LONGEST_FLOOR) ? 'fault-floors-long' : undefined
}
