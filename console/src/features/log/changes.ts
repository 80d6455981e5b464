/** What a row of the audit tells: fields that changed, and what else was asked. */
import type { Answer } from '@/shared/rpc/contract'

export type LogRow = Answer<'/log/list'>['list'][number]

type Fields = Readonly<Record<string, unknown>>

export interface Change {
  readonly field: string
  readonly before: string
  readonly after: string
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as text; what is not there is no text. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Field by field; what is no list of fields is one change without a name. */
export function changesOf({ before, after }: Pick<LogRow, 'before' | 'after'>): Change[] {
  const sides = [before, after].filter((side) => side !== null && side !== undefined)
  if (sides.length === 0) return []
  if (!sides.every(isFields)) return [{ field: '', before: formatValue(before), after: formatValue(after) }]
  const [was, is] = [before, after] as (Fields | null | undefined)[]
  const names = [...new Set(sides.flatMap((side) => Object.keys(side as Fields)))]
  return names.map((field) => ({ field, before: formatValue(was?.[field]), after: formatValue(is?.[field]) }))
}

/** What was asked and is not told by the changes. */
export function requestOf(row: Pick<LogRow, 'detail' | 'before' | 'after'>): [string, string][] {
  const changed = new Set(changesOf(row).map(({ field }) => field))
  return Object.entries(row.detail)
    .filter(([field]) => !changed.has(field))
    .map(([field, value]) => [field, formatValue(value)])
}

/** In one line, for the table. */
export const summary = ({ detail }: Pick<LogRow, 'detail'>) =>
  Object.entries(detail)
    .map(([field, value]) => `${field} ${formatValue(value)}`)
    .join(' · ')
