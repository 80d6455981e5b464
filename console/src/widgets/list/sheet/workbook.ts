/** A sheet as .xlsx: numbers are numbers, times are times, and no cell is a formula. Loaded when somebody wants one. */
import write, { type SheetData } from 'write-excel-file/browser'
import type { Cell } from './cells'

const TIME = 'yyyy-mm-dd hh:mm:ss'

/** A workbook's times have no zone: the wall clock is written as if it were UTC. */
const wallClock = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000)

function dressed(cell: Cell, heading: boolean): SheetData[number][number] {
  if (cell instanceof Date) return { value: wallClock(cell), type: Date, format: TIME }
  if (cell === null || cell === '') return null
  if (typeof cell === 'number') return { value: cell, type: Number }
  return { value: cell, type: String, ...(heading && { fontWeight: 'bold' as const }) }
}

export const workbookOf = (sheet: readonly Cell[][]): Promise<Blob> =>
  write(
    sheet.map((row, place) => row.map((cell) => dressed(cell, place === 0))),
    { stickyRowsCount: 1 },
  ).toBlob()
