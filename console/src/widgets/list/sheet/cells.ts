/**
 * The rows of a list as those of a file: what the columns say, times in the browser's time zone, which stands in a column
 * of its own at the end.
 */
import { type Column, readValue, type Value, type Writing } from '../columns'

export type Cell = Exclude<Value, undefined> | Date

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/ // as the server writes one

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const cellOf = (value: Value): Cell =>
  typeof value === 'string' && MOMENT.test(value) ? new Date(value) : (value ?? null)

/** The headings first. */
export function sheetOf<R>(columns: readonly Column<R>[], rows: readonly R[], writing: Writing): readonly Cell[][] {
  const written = columns.filter(({ picture }) => !picture)
  const zone = ownZone()
  return [
    [...written.map(({ label }) => writing.t(label)), writing.t('shell:time-zone')],
    ...rows.map((row) => [...written.map((column) => cellOf(readValue(column, row, writing))), zone]),
  ]
}
