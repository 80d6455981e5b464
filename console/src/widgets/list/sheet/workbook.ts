/** A sheet as .xlsx: numbers are numbers, times are times, hh:mm:ss a duration, 98.5 % a share, and no cell is a formula. Loaded when somebody wants one. */
import write, { type SheetData } from 'write-excel-file/browser'
import type { Cell } from './cells'

const TIME = 'yyyy-mm-dd hh:mm:ss'
const CLOCK = /^(\d+):([0-5]\d):([0-5]\d)$/ // hh:mm:ss, of more than a day too
const PERCENT = /^(-?\d+(?:\.\d+)?)\s?%$/
const DAY_S = 86_400

/** A workbook's times have no zone: the wall clock is written as if it were UTC. */
const wallClock = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000)

function dressed(cell: Cell, heading: boolean): SheetData[number][number] {
  if (cell instanceof Date) return { value: wallClock(cell), type: Date, format: TIME }
  if (cell === null || cell === '') return null
  if (typeof cell === 'number') return { value: cell, type: Number }
  const clock = CLOCK.exec(cell)
  if (clock) {
    const [hours, minutes, seconds] = clock.slice(1).map(Number) as [number, number, number]
    return { value: (hours * 3600 + minutes * 60 + seconds) / DAY_S, type: Number, format: '[h]:mm:ss' }
  }
  const percent = PERCENT.exec(cell)
  if (percent) return { value: Number(percent[1]) / 100, type: Number, format: '0.0%' }
  return { value: cell, type: String, ...(heading && { fontWeight: 'bold' as const }) }
}

export const workbookOf = (sheet: readonly Cell[][]): Promise<Blob> =>
  write(
    sheet.map((row, place) => row.map((cell) => dressed(cell, place === 0))),
    { stickyRowsCount: 1 },
  ).toBlob()
