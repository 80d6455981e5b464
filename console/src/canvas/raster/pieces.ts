/** Cells that hang together, corners included: found by runs along the rows, of which there are far fewer than cells. */
import { type CellClass, integerAt } from './raster'

/** Runs of cells, row by row from the lowest; `ends` are the columns after them. */
export interface Runs {
  readonly rows: Int32Array
  readonly starts: Int32Array
  readonly ends: Int32Array
}

export function runsOf(cells: Uint8Array, width: number, which: CellClass): Runs {
  let count = 0
  eachRun(cells, width, which, () => count++)
  const runs = { rows: new Int32Array(count), starts: new Int32Array(count), ends: new Int32Array(count) }
  let run = 0
  eachRun(cells, width, which, (row, start, end) => {
    runs.rows[run] = row
    runs.starts[run] = start
    runs.ends[run++] = end
  })
  return runs
}

function eachRun(
  cells: Uint8Array,
  width: number,
  which: CellClass,
  take: (row: number, start: number, end: number) => void,
) {
  for (let start = which.next(cells, 0); start < cells.length; ) {
    const row = Math.floor(start / width)
    const first = row * width
    const end = Math.min(which.end(cells, start), first + width)
    take(row, start - first, end - first)
    start = which.next(cells, end)
  }
}

/** The piece of each run, as the number of one of its runs. */
export function piecesOf({ rows, starts, ends }: Runs): Int32Array {
  const parents = rows.map((_, run) => run)
  let below = 0 // the first run of the row below that may touch
  for (let run = 0; run < rows.length; run++) {
    const row = integerAt(rows, run) - 1
    const start = integerAt(starts, run)
    const end = integerAt(ends, run)
    while (integerAt(rows, below) < row || (rows[below] === row && integerAt(ends, below) < start)) below++
    for (let other = below; rows[other] === row && integerAt(starts, other) <= end; other++)
      parents[rootOf(parents, other)] = run
  }
  return parents.map((_, run) => rootOf(parents, run))
}

/** Halves the way for who asks next. */
function rootOf(parents: Int32Array, run: number): number {
  let root = run
  for (let parent = integerAt(parents, root); parent !== root; parent = integerAt(parents, root)) {
    parents[root] = integerAt(parents, parent)
    root = integerAt(parents, parent)
  }
  return root
}
