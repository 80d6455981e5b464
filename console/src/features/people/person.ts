/** What may stand in an account's fields: the server's rules (people.ts is made from them), said before it is asked. */
import type { Answer } from '@/shared/rpc/contract'
import { LOGIN_NAME, MAILBOX, PHONE } from '@/shared/rpc/people'

export type UserRow = Answer<'/user/selectUserList'>['list'][number]

export interface Person {
  readonly account: string
  readonly name: string
  readonly phone: string
  readonly email: string
}

export type Faults = Partial<Record<keyof Person, string>>

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`)
const [loginName, phone, mailbox] = [whole(LOGIN_NAME), whole(PHONE), whole(MAILBOX)]

const isMailboxes = (told: string) => told.split(',').every((one) => mailbox.test(one.trim()))

/** Field to the key of what is wrong with it; empty when all is well. */
export function faultsOf(person: Partial<Person>): Faults {
  const found: Faults = {}
  if (person.account !== undefined && !loginName.test(person.account)) found.account = 'fault-login-name'
  if (person.name !== undefined && !person.name.trim()) found.name = 'fault-name'
  if (person.phone?.trim() && !phone.test(person.phone.trim())) found.phone = 'fault-phone'
  if (person.email?.trim() && !isMailboxes(person.email.trim())) found.email = 'fault-email'
  return found
}

/** The `role` field is JSON with a list of role ids. */
export const rolesOf = ({ role }: Pick<UserRow, 'role'>): number[] => {
  try {
    const told: unknown = JSON.parse(role)
    return Array.isArray(told) ? told.filter((id) => typeof id === 'number') : []
  } catch {
    return []
  }
}
