/** What a row of the audit tells: fields that changed, and what else was asked. */
import type { Answer } from '@/shared/rpc/contract'

export type LogRow = Answer<'/log/list'>['list'][number]

type Fields = Readonly<Record<string, unknown>>

export interface Change {
  readonly field: string
  readonly before: string
  readonly after: string
}

const isFields = (told: unknown): told is Fields => typeof told === 'object' && told !== null && !Array.isArray(told)

/** A value as text; what is not there is no text. */
function said(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Field by field; what is no list of fields is one change without a name. */
export function changesOf({ before, after }: Pick<LogRow, 'before' | 'after'>): Change[] {
  const told = [before, after].filter((side) => side !== null && side !== undefined)
  if (told.length === 0) return []
  if (!told.every(isFields)) return [{ field: '', before: said(before), after: said(after) }]
  const [was, is] = [before, after] as (Fields | null | undefined)[]
  const names = [...new Set(told.flatMap((side) => Object.keys(side as Fields)))]
  return names.map((field) => ({ field, before: said(was?.[field]), after: said(is?.[field]) }))
}

/** What was asked and is not told by the changes. */
export function askedOf(row: Pick<LogRow, 'detail' | 'before' | 'after'>): [string, string][] {
  const changed = new Set(changesOf(row).map(({ field }) => field))
  return Object.entries(row.detail)
    .filter(([field]) => !changed.has(field))
    .map(([field, value]) => [field, said(value)])
}

/** In one line, for the table. */
export const summary = ({ detail }: Pick<LogRow, 'detail'>) =>
  Object.entries(detail)
    .map(([field, value]) => `${field} ${said(value)}`)
    .join(' · ')
