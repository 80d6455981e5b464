/** What may stand in an account's fields: the server's rules (people.ts is made from them), said before it is asked. */
import type { TextKey } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { LOGIN_NAME, MAILBOX, PHONE } from '@/shared/rpc/people'
import type { Rule } from '../form/fields'

export type UserRow = Answer<'/user/selectUserList'>['list'][number]

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`)
const [loginName, phone, mailbox] = [whole(LOGIN_NAME), whole(PHONE), whole(MAILBOX)]

const isMailboxes = (text: string) => text.split(',').every((address) => mailbox.test(address.trim()))

const RULES = {
  account: ['people:fault-login-name', (text: string) => loginName.test(text)],
  name: ['people:fault-name', (text: string) => text.trim() !== ''],
  phone: ['people:fault-phone', (text: string) => !text.trim() || phone.test(text.trim())],
  email: ['people:fault-email', (text: string) => !text.trim() || isMailboxes(text.trim())],
} as const satisfies Record<string, readonly [fault: TextKey, fits: (text: string) => boolean]>

/** Key of the text that says what is wrong with the field; undefined where all is well. */
export const ruleOf =
  (field: keyof typeof RULES): Rule =>
  (value) => {
    const [fault, fits] = RULES[field]
    return fits(String(value ?? '')) ? undefined : fault
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
