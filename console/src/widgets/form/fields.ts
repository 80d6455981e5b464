/**
 * The fields of a form, named as the call's payload names them; how long a text may be is the contract's. A rule is the
 * server's, stated before it is asked, and gives the key of the text that says what is wrong.
 */
import type { TextKey } from '@/shared/i18n/text'
import type { CallPath } from '@/shared/rpc/contract'
import { LIMITS } from '@/shared/rpc/limits'

export type Value = string | number | boolean | null | readonly number[]
export type Values = Readonly<Record<string, Value>>
export type Rule<K extends TextKey = TextKey> = (value: Value, all: Values) => K | undefined

export interface Option {
  readonly value: string | number
  readonly label: string
}

export interface FormField<Name extends string = string, K extends TextKey = TextKey> {
  readonly name: Name
  /** Its name in the row, where that is another. */
  readonly of?: string
  /** Key of its text. */
  readonly label: K
  readonly hint?: K
  readonly kind?: 'number' | 'choice' | 'choices' | 'clock' | 'day' | 'moment' | 'robot' | 'secret' | 'switch' | 'text'
  /** Of a day or a moment: none before, none after now. */
  readonly from?: 'now'
  readonly until?: 'now'
  /** Where nothing is chosen. */
  readonly placeholder?: K
  /** What may be typed, the same in every language. */
  readonly example?: string
  /** Of a number: digits behind the point; none without it. */
  readonly digits?: number
  /** Of a choice: its values with the keys of their texts; others come from the screen by the field's name. */
  readonly choices?: readonly (readonly [value: string | number, word: K])[]
  /** Addresses, codes and ports read from left to right in every language. */
  readonly ltr?: true
  /** Which keys a phone shows for it. */
  readonly inputMode?: 'email' | 'tel'
  readonly wide?: true
  /** Several controls of the screen's own. */
  readonly group?: true
  /** A choice or a time that may be taken back. */
  readonly clearable?: true
  readonly rule?: Rule<K>
}

/** What a call takes in one field. */
export interface Limit {
  readonly maxItems?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}

const ALL: Readonly<Partial<Record<CallPath, Readonly<Record<string, Limit>>>>> = LIMITS

/** What a call takes, by the names of its fields. */
export const limitsOf = (path: CallPath): Readonly<Record<string, Limit>> => ALL[path] ?? {}

/** What is known of a row while it is edited: more than the fields. */
export type FormRow = Readonly<Record<string, unknown>> & { readonly updateTime: string }

export const pick = (fields: readonly FormField[], row: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(fields.map(({ name, of = name }) => [name, (row[of] ?? null) as Value]))

/** Of a field that holds several. */
export const numbersOf = (value: Value | undefined): readonly number[] => (Array.isArray(value) ? value : [])

/** Arrays are equal by what they hold. */
export const same = (a: Value | undefined, b: Value | undefined) => JSON.stringify(a) === JSON.stringify(b)

/** Names of what was typed: what no longer is as the form began with it. */
export const typed = (fields: readonly FormField[], base: Values, values: Values): readonly string[] =>
  fields.flatMap(({ name }) => (same(base[name], values[name]) ? [] : [name]))

/** What somebody else has saved meanwhile, and over it what was typed here, except what is given up. */
export function merged(
  fields: readonly FormField[],
  { base, values, theirs }: Record<'base' | 'values' | 'theirs', Values>,
  given: readonly string[],
): Values {
  const own = typed(fields, base, values).filter((name) => !given.includes(name))
  return { ...theirs, ...Object.fromEntries(own.map((name) => [name, values[name] ?? null])) }
}
