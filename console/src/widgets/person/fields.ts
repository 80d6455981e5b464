/** The fields of an account that are the same when it is made and when it is edited. */
import type { FormField, Limit, Values } from '../form/fields'
import { ruleOf } from './person'

const LONGEST_PHONE = 20 // more than its 11 digits: what is too long is shown and refused, not cut off

export const PERSON = [
  { name: 'name', label: 'people:name', rule: ruleOf('name') },
  { name: 'phone', label: 'common:phone', ltr: true, inputMode: 'tel', rule: ruleOf('phone') },
  {
    ...({ name: 'email', label: 'common:channel-email', hint: 'people:email-hint', ltr: true } as const),
    ...({ inputMode: 'email', wide: true, rule: ruleOf('email') } as const),
  },
] as const satisfies readonly FormField[]

export const MAIL_FIELD = {
  name: 'mails',
  label: 'people:mails-get',
  group: true,
  wide: true,
} as const satisfies FormField

export const NOBODY = { name: '', phone: '', email: '' } as const

/** `limits`: of the call. */
export const withPhone = (limits: Readonly<Record<string, Limit>>): Readonly<Record<string, Limit>> => ({
  ...limits,
  phone: { maxLength: LONGEST_PHONE },
})

/** As the call takes them. */
export const personOf = (values: Values) => ({
  name: String(values.name).trim(),
  phone: String(values.phone).trim(),
  email: String(values.email).trim(),
})
