/**
 * Rows as a sheet of comma-separated values: a mark of UTF-8 first, so that spreadsheets read every language. A text that
 * a spreadsheet would take for a formula is given a leading apostrophe.
 */
import { type Column, readValue, type Writing } from './columns'

const FORMULA = /^[=+\-@\t\r]/
const MARK = '\u{FEFF}'

function cellOf(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function csvOf<R>(columns: readonly Column<R>[], rows: readonly R[], writing: Writing): Blob {
  const written = columns.filter(({ picture }) => !picture)
  const lines = [
    written.map(({ label }) => cellOf(writing.t(label))),
    ...rows.map((row) => written.map((column) => cellOf(readValue(column, row, writing)))),
  ]
  return new Blob([MARK, lines.map((line) => line.join(',')).join('\r\n'), '\r\n'], { type: 'text/csv' })
}
