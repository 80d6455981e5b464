/**
 * A sheet of comma-separated values: a mark of UTF-8 first, so that spreadsheets read every language. A text that a
 * spreadsheet would take for a formula is given a leading apostrophe.
 */
import type { Cell } from './cells'

const FORMULA = /^[=+\-@\t\r]/
const MARK = '\u{FEFF}'

const two = (value: number) => String(value).padStart(2, '0')

const wallClock = (at: Date) =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ` +
  [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')

function textOf(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  if (cell instanceof Date) return wallClock(cell)
  const text = cell ?? ''
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvOf = (sheet: readonly Cell[][]): Blob =>
  new Blob([MARK, ...sheet.map((row) => `${row.map(textOf).join(',')}\r\n`)], { type: 'text/csv' })
