/** What a row of the audit tells: fields that changed, and what else was asked. */
import type { Answer } from '@/shared/rpc/contract'

/** `times`: for how many of the same in a row it stands. */
export type LogRow = Answer<'/log/list'>['list'][number] & { readonly times?: number }

type Fields = Readonly<Record<string, unknown>>

export interface Change {
  readonly field: string
  readonly before: string
  readonly after: string
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What ids and fields are called. */
export interface Words {
  readonly fields: Readonly<Record<string, string>>
  /** Of the robots that are known, by id. */
  readonly robots: ReadonlyMap<number, string>
  list(names: readonly string[]): string
}

const robotName = (id: unknown, { robots }: Words) => robots.get(Number(id)) ?? `#${String(id)}`

/** A value as text; what is not there is no text. */
function formatValue(value: unknown, field: string, words: Words): string {
  if (value === null || value === undefined) return ''
  if (field === 'deviceId') return robotName(value, words)
  if (field === 'deviceIds' && Array.isArray(value)) return words.list(value.map((id) => robotName(id, words)))
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' || typeof entry === 'number'))
    return words.list(value.map(String))
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The robots that rows speak of, by id. */
export const robotsOf = (rows: readonly LogRow[]): readonly number[] => {
  const ids = rows.flatMap(({ deviceId, detail, before, after }) => [
    deviceId,
    ...[detail, before, after].filter(isFields).flatMap((side) => [side.deviceId, side.deviceIds].flat()),
  ])
  return [...new Set(ids.filter((id): id is number => typeof id === 'number'))].sort((a, b) => a - b)
}

/** Rows of which several in a row say the same, as one with how often: a page that is opened connects more than once. */
export function folded(rows: readonly LogRow[]): readonly LogRow[] {
  const result: (LogRow & { times: number })[] = []
  for (const row of rows) {
    const last = result.at(-1)
    const same =
      last &&
      row.action === REPEATED &&
      (['action', 'userId', 'actingId', 'deviceId', 'result', 'address'] as const).every(
        (key) => last[key] === row[key],
      )
    if (same) last.times += 1
    else result.push({ ...row, times: 1 })
  }
  return result
}

const REPEATED = 'device.grant'

/** Field by field; what is no list of fields is one change without a name. */
export function changesOf({ before, after }: Pick<LogRow, 'before' | 'after'>, words: Words): Change[] {
  const sides = [before, after].filter((side) => side !== null && side !== undefined)
  if (sides.length === 0) return []
  if (!sides.every(isFields))
    return [{ field: '', before: formatValue(before, '', words), after: formatValue(after, '', words) }]
  const [was, is] = [before, after].map((side) => (isFields(side) ? side : undefined))
  const names = [...new Set(sides.flatMap((side) => Object.keys(side)))]
  return names.map((field) => ({
    field: words.fields[field] ?? field,
    before: formatValue(was?.[field], field, words),
    after: formatValue(is?.[field], field, words),
  }))
}

/** What was asked and is not among the changes. */
export function requestOf(row: Pick<LogRow, 'detail' | 'before' | 'after'>, words: Words): [string, string][] {
  const changed = new Set([row.before, row.after].filter(isFields).flatMap((side) => Object.keys(side)))
  return Object.entries(row.detail)
    .filter(([field]) => !changed.has(field))
    .map(([field, value]) => [words.fields[field] ?? field, formatValue(value, field, words)])
}

/** In one line, for the table: what has a name; the robot stands in its own column. */
export const summary = ({ detail }: Pick<LogRow, 'detail'>, words: Words) =>
  Object.entries(detail)
    .filter(([field]) => field in words.fields && field !== 'deviceId')
    .map(([field, value]) => `${words.fields[field]}: ${formatValue(value, field, words)}`)
    .join(' · ')
