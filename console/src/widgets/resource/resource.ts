/**
 * A kind of rows that people keep by list and form: its calls, its columns and its fields, each checked against the
 * contract. `ResourceScreen` shows it; what only this kind has (a warning, more actions) is given here too.
 */

import type { ComponentType, ReactNode } from 'react'
import type { Pack, TextKey } from '@/shared/i18n/text'
import type { Answer, CallPath, Payload } from '@/shared/rpc/contract'
import type { FormField, FormRow, Option, Values } from '../form/fields'
import type { Column, Writing } from '../list/columns'

/** Calls that answer a list. */
type ListPath = { [C in CallPath]: Answer<C> extends { list: readonly { updateTime: string }[] } ? C : never }[CallPath]
type RowOf<L extends ListPath> = Answer<L> extends { list: readonly (infer R)[] } ? R : never

type Options = Readonly<Record<string, readonly Option[]>>

export interface Resource<L extends ListPath, I extends CallPath, U extends CallPath, D extends CallPath> {
  /** Under which its columns and views are kept. */
  readonly name: string
  /** The pack of its texts; keys: of its own word, of the button that adds one, of what stands there before the first. */
  readonly texts: Pack
  readonly label: TextKey
  readonly add: TextKey
  readonly empty: TextKey
  readonly list: L
  readonly insert: I
  readonly update: U
  readonly remove: D
  /** Who may edit a row; without it, who sees it. */
  readonly editKey?: string
  /** The id's field in rows, and its name in the payloads of `update` and `remove`. */
  readonly id: keyof RowOf<L> & string
  readonly key: keyof Payload<U> & keyof Payload<D> & string
  readonly title: keyof RowOf<L> & string
  readonly columns: readonly Column<RowOf<L>>[]
  readonly fields: readonly FormField<keyof Payload<I> & string>[]
  /** What a new one begins with. */
  readonly start: Partial<Record<keyof Payload<I> & string, Values[string]>>
  /** Choices that only the server knows, by the field's name. */
  useOptions?(): Options
  /** What goes with a row that is deleted, or stays; the server wants to know that it was shown. */
  warning?(row: RowOf<L>, writing: Writing): ReactNode
  /** More actions, before those that every row has. */
  readonly Actions?: ComponentType<{ row: RowOf<L> }>
}

/** Any of them, for who shows one: the contract has been checked where it was declared. */
export interface AnyResource {
  readonly name: string
  readonly texts: Pack
  readonly label: TextKey
  readonly add: TextKey
  readonly empty: TextKey
  readonly list: CallPath
  readonly insert: CallPath
  readonly update: CallPath
  readonly remove: CallPath
  readonly editKey?: string
  readonly id: string
  readonly key: string
  readonly title: string
  readonly columns: readonly Column<FormRow>[]
  readonly fields: readonly FormField[]
  readonly start: Values
  useOptions(): Options
  warning?(row: FormRow, writing: Writing): ReactNode
  readonly Actions?: ComponentType<{ row: FormRow }>
}

const useNoOptions = () => ({})

export const resource = <L extends ListPath, I extends CallPath, U extends CallPath, D extends CallPath>(
  declared: Resource<L, I, U, D>,
): AnyResource => ({ useOptions: useNoOptions, ...declared }) as unknown as AnyResource
