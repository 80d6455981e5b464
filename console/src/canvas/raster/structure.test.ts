import { expect, test } from 'vitest'
import { loopsOf } from './outline'
import { piecesOf, runsOf } from './pieces'
import { ANY, cellAt, cellsOf, countCells, FREE, OCCUPIED, type Raster, SIDE } from './raster'
import { FURNITURE, structured } from './structure'
import { rasterOf } from './test-raster'

const RESOLUTION = 0.1 // m; then a thing is thick from a square of 5 cells on
const SQUARE = 5

/** Numbers from 0 to 1, the same at every run. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2147483648
    yield state / 2147483648
  }
}

/** A floor of boxes, lines and dust: pieces that touch at corners, hold thick parts and enclose others. */
function randomFloor(seed: number, width: number, height: number): Raster {
  const numbers = randomNumbers(seed)
  const next = (limit: number) => Math.floor(numbers.next().value * limit)
  const boxes = Array.from({ length: 20 }, () => {
    const long = next(3) === 0
    return {
      left: next(width),
      bottom: next(height),
      wide: 1 + next(long ? 60 : 9),
      high: 1 + next(9),
      full: next(5) > 0,
    }
  })
  const dust = new Set(Array.from({ length: 40 }, () => next(width * height)))
  return rasterOf(width, height, (column, row) => {
    const occupied = boxes.some(({ left, bottom, wide, high, full }) => {
      const x = column - left
      const y = row - bottom
      if (x < 0 || y < 0 || x >= wide || y >= high) return false
      return full || x === 0 || y === 0 || x === wide - 1 || y === high - 1
    })
    return occupied || dust.has(row * width + column) ? OCCUPIED : FREE
  })
}

/** Occupied cells in pieces, each from neighbour to neighbour. */
function plainPieces(grid: Raster): [number, number][][] {
  const met = new Set<string>()
  const pieces: [number, number][][] = []
  for (let row = 0; row < grid.height; row++) {
    for (let column = 0; column < grid.width; column++) {
      const piece: [number, number][] = [[column, row]]
      const take = (x: number, y: number) => {
        if (cellAt(grid, x, y) !== OCCUPIED || met.has(`${x},${y}`)) return false
        met.add(`${x},${y}`)
        return true
      }
      if (!take(column, row)) continue
      for (const [x, y] of piece)
        for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) if (take(x + dx, y + dy)) piece.push([x + dx, y + dy])
      pieces.push(piece)
    }
  }
  return pieces
}

const all = (side: number, test: (x: number, y: number) => boolean) => {
  for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) if (!test(x, y)) return false
  return true
}

/** Whether some square of occupied cells holds this one. */
const isThick = (grid: Raster, column: number, row: number) =>
  !all(SQUARE, (x, y) => !all(SQUARE, (i, j) => cellAt(grid, column - x + i, row - y + j) === OCCUPIED))

const between = (numbers: number[]) => Math.max(...numbers) - Math.min(...numbers) + 1

test.each([1, 2, 3, 4, 5, 6])('tell furniture from walls as a reading cell by cell does, floor %i', (seed) => {
  const grid = randomFloor(seed, 150, 140)
  const expected = new Set<string>()
  for (const piece of plainPieces(grid)) {
    const thick = piece.filter(([x, y]) => isThick(grid, x, y))
    const across = Math.max(between(piece.map(([x]) => x)), between(piece.map(([, y]) => y))) * RESOLUTION
    const whole = across <= 0.5 || (across <= 12 && thick.length > piece.length * 0.4)
    for (const [x, y] of whole ? piece : thick) expected.add(`${x},${y}`)
  }
  const classified = structured(grid, RESOLUTION)
  const furniture = new Set<string>()
  for (let y = 0; y < grid.height; y++)
    for (let x = 0; x < grid.width; x++) if (cellAt(classified, x, y) === FURNITURE) furniture.add(`${x},${y}`)
  expect(furniture).toEqual(expected)
})

test.each([
  [37, 62],
  [38, 25],
])(
  'a thick square with a line of %i cells is furniture in %i: as a whole from two fifths thick on',
  (line, furniture) => {
    const grid = rasterOf(60, 20, (column, row) =>
      column < (row === 7 ? 5 + line : 5) && row > 4 && row < 10 ? OCCUPIED : FREE,
    )
    expect(countCells(structured(grid, RESOLUTION), FURNITURE)).toBe(furniture)
  },
)

test('cells that meet late, or only at a corner, are of one piece', () => {
  const count = (lines: readonly string[]) => {
    const cells = Uint8Array.from(lines.join(''), (cell) => Number(cell === '#'))
    return new Set(piecesOf(runsOf(cells, lines[0]?.length ?? 0, cellsOf(1)))).size
  }
  expect(count(['#...#...#', '#.#.#.#.#', '###.#.###', '.........', '.........'])).toBe(3)
  expect(count(['#...#...#', '#.#.#.#.#', '###.#.###', '...#.#...', '.........'])).toBe(1)
  expect(count(['#.#.#', '.....', '#.#.#'])).toBe(6)
  expect(count(['....#', '#....'])).toBe(2) // neighbours in the list, on either edge of the floor
})

test.each([1, 2, 3, 4, 5, 6])('outlines hold each cell of their class and no other, floor %i', (seed) => {
  const cells = structured(randomFloor(seed, SIDE, SIDE), RESOLUTION).tiles[0] ?? new Uint8Array()
  for (const [which, has] of [
    [cellsOf(FURNITURE), (cell: number) => cell === FURNITURE],
    [cellsOf(OCCUPIED), (cell: number) => cell === OCCUPIED],
    [ANY, (cell: number) => cell !== 0],
  ] as const) {
    expect(filled(loopsOf(cells, which))).toEqual(Uint8Array.from(cells, (cell) => Number(has(cell))))
  }
})

/** Cells within loops, as a canvas fills them: each edge that runs north or south changes all cells to its right. */
function filled(loops: readonly number[][]): Uint8Array {
  const turns = new Int32Array(SIDE * SIDE)
  for (const loop of loops) {
    for (let i = 0; i < loop.length; i += 2) {
      const [x = 0, y = 0] = loop.slice(i)
      const end = loop[(i + 3) % loop.length] ?? 0
      for (let row = Math.min(y, end); row < Math.max(y, end); row++)
        for (let column = x; column < SIDE; column++)
          turns[row * SIDE + column] = (turns[row * SIDE + column] ?? 0) + Math.sign(y - end)
    }
  }
  return Uint8Array.from(turns, (count) => Number(count !== 0))
}
