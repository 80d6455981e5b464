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

/** Of all rows together, as their screen shows it; the label stands in the column that names a row. */
export interface Sum<R> {
  readonly label: string
  readonly row: R
}

/** The headings first, the sum last. */
export function sheetOf<R>(
  columns: readonly Column<R>[],
  rows: readonly R[],
  writing: Writing,
  sum?: Sum<R>,
): readonly Cell[][] {
  const written = columns.filter(({ picture }) => !picture)
  const zone = ownZone()
  return [
    [...written.map(({ label }) => writing.t(label)), writing.t('shell:time-zone')],
    ...rows.map((row) => [...written.map((column) => cellOf(readValue(column, row, writing))), zone]),
    ...(sum
      ? [[...written.map((column) => (column.heading ? sum.label : cellOf(readValue(column, sum.row, writing)))), zone]]
      : []),
  ]
}
