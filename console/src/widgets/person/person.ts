/** What may stand in an account's fields: the server's rules (people.ts is made from them), said before it is asked. */
import type { TextKey } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { LOGIN_NAME, MAILBOX, PHONE } from '@/shared/rpc/people'

export type UserRow = Answer<'/user/selectUserList'>['list'][number]

export interface Person {
  readonly account: string
  readonly name: string
  readonly phone: string
  readonly email: string
}

export type Faults = Partial<Record<keyof Person, TextKey<'people'>>>

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`)
const [loginName, phone, mailbox] = [whole(LOGIN_NAME), whole(PHONE), whole(MAILBOX)]

const isMailboxes = (text: string) => text.split(',').every((address) => mailbox.test(address.trim()))

/** Field to the key of what is wrong with it; empty when all is well. */
export function faultsOf(person: Partial<Person>): Faults {
  const faults: Faults = {}
  if (person.account !== undefined && !loginName.test(person.account)) faults.account = 'fault-login-name'
  if (person.name !== undefined && !person.name.trim()) faults.name = 'fault-name'
  if (person.phone?.trim() && !phone.test(person.phone.trim())) faults.phone = 'fault-phone'
  if (person.email?.trim() && !isMailboxes(person.email.trim())) faults.email = 'fault-email'
  return faults
}

/** The `role` field is JSON with a list of role ids. */
export const rolesOf = ({ role }: Pick<UserRow, 'role'>): number[] => {
  try {
    const value: unknown = JSON.parse(role)
    return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : []
  } catch {
    return []
  }
}
