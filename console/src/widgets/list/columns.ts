/**
 * The columns of a list: each has one value, which is what it sorts by, what stands in its cell unless the column says how,
 * and what an export writes. A column that is named after no field of the row must say its value.
 */

import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { currentLanguage } from '@/shared/i18n/i18n'
import { type Pack, type TextKey, type Translate, useTranslation } from '@/shared/i18n/text'
import { setPreference, usePreference } from '@/shared/theme/preferences'

export type Value = string | number | null | undefined

/** What cells are written with: the screen's texts, and the formats of the user's language. */
export interface Writing extends ReturnType<typeof useFormats> {
  readonly t: Translate
}

export function useWriting(texts: Pack): Writing {
  const { t } = useTranslation(texts)
  return { ...useFormats(), t }
}

interface Shape<R> {
  /** Key of its heading's text. */
  readonly label: TextKey
  /** What stands in the cell; without it, the value. */
  readonly cell?: (row: R, writing: Writing) => ReactNode
  /** Names the row: it stands first, always. */
  readonly heading?: true
  /** Addresses, codes and numbers of things read from left to right in every language. */
  readonly ltr?: true
  /** Stands at the end of its cell, as amounts do. */
  readonly number?: true
  /** In the second colour of text. */
  readonly soft?: true
  /** Long texts are cut to the width of the column. */
  readonly cut?: true
  /** Shown only when somebody chooses it. */
  readonly extra?: true
  /** What stands in its heading instead of the label. */
  readonly head?: ReactNode
  /** Its heading is only for who does not see the cells. */
  readonly unseen?: true
  /** Its cells are pictures or controls: it neither sorts nor exports. */
  readonly picture?: true
}

type PlainField<R> = { [K in keyof R]-?: R[K] extends Value ? K : never }[keyof R] & string

export type Column<R> = Shape<R> &
  (
    | { readonly key: PlainField<R>; readonly value?: (row: R, writing: Writing) => Value }
    | { readonly key: string; readonly value: (row: R, writing: Writing) => Value }
  )

export const readValue = <R>(column: Column<R>, row: R, writing: Writing): Value =>
  column.value ? column.value(row, writing) : (row[column.key as keyof R] as Value)

export interface Sort {
  readonly key: string
  readonly descending: boolean
}

/** A copy in order; what has no value stands last in both directions. */
export function sorted<R>(rows: readonly R[], column: Column<R>, descending: boolean, writing: Writing): readonly R[] {
  const { compare } = new Intl.Collator(currentLanguage(), { numeric: true })
  const sign = descending ? -1 : 1
  const missing = (value: Value) => value === null || value === undefined || value === ''
  return rows
    .map((row) => ({ row, value: readValue(column, row, writing) }))
    .sort((a, b) => {
      if (missing(a.value) || missing(b.value)) return Number(missing(a.value)) - Number(missing(b.value))
      if (typeof a.value === 'number' && typeof b.value === 'number') return sign * (a.value - b.value)
      return sign * compare(String(a.value), String(b.value))
    })
    .map(({ row }) => row)
}

/** The order after a press on a heading; a third press gives the list's own order back. */
export const turned = (sort: Sort | undefined, key: string): Sort | undefined =>
  sort?.key !== key ? { key, descending: false } : sort.descending ? undefined : { key, descending: true }

/** The order that an address asks for: `sort=name`, `sort=-name`. */
export function sortOf(query: URLSearchParams): Sort | undefined {
  const text = query.get('sort')
  return text ? { key: text.replace(/^-/, ''), descending: text.startsWith('-') } : undefined
}

/** What a call is asked for, where it sorts by the column itself; nothing of an order that it does not know. */
export function sortPayload<K extends string>(sort: Sort | undefined, orders: readonly K[]) {
  const key = orders.find((order) => order === sort?.key)
  return key && sort ? { sort: key, descending: sort.descending } : {}
}

export function useSort(): [Sort | undefined, (key: string) => void] {
  const [query, setQuery] = useSearchParams()
  const sort = sortOf(query)
  const turn = (key: string) => {
    const next = new URLSearchParams(query)
    const order = turned(sort, key)
    if (order) next.set('sort', order.descending ? `-${order.key}` : order.key)
    else next.delete('sort')
    next.delete('page')
    setQuery(next, { replace: true })
  }
  return [sort, turn]
}

/** What the choice of columns needs of one. */
export interface Choosable {
  readonly key: string
  readonly heading?: true
  readonly extra?: true
}

/** Which columns a list has is the account's choice, kept under the list's name. */
export function useColumns<C extends Choosable>(name: string, columns: readonly C[]) {
  const usual = columns.filter(({ extra }) => !extra).map(({ key }) => key)
  const chosen = usePreference<readonly string[]>(`${name}Columns`, usual)
  return {
    columns: columns.filter(({ key, heading }) => heading || chosen.includes(key)),
    choose: (keys: readonly string[]) => setPreference(`${name}Columns`, keys),
    reset: () => setPreference(`${name}Columns`, usual),
  }
}
