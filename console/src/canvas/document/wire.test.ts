import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { cellAt, countCells, type Raster } from '../raster/raster'
import { withMark, withOnly } from './document'
import { difference, merge } from './merge'
import { ERASER, toRow } from './to-row'
import { cleanedCells, fromMask, fromRow, type WireMap, type WireMask } from './wire'

const row: WireMap = {
  mapId: 7,
  name: 'Floor 1',
  width: 400,
  height: 200,
  resolution: 0.05,
  origin: [-3, -1, 0.1],
  revision: 4,
  flags: [{ name: 'Charger 1', type: 'charging', x: 1, y: 2, yaw: 0.5 }],
  virtualWalls: [
    {
      name: '',
      points: [
        [0, 0],
        [1, 0],
      ],
    },
  ],
  forbiddenZones: [
    {
      name: 'Buffet',
      points: [
        [1, 1],
        [2, 1],
        [2, 2],
      ],
    },
    {
      name: 'Ballroom',
      points: [
        [4, 1],
        [5, 1],
        [5, 2],
      ],
    },
  ],
  freeAreas: [],
}

const mask = (cells: readonly string[], more: Partial<WireMask> = {}): WireMask => {
  const width = cells[0]?.length ?? 0
  const stride = Math.ceil(width / 8)
  const bits = new Uint8Array(stride * cells.length)
  for (const [y, line] of cells.entries()) {
    for (const [x, cell] of [...line].entries())
      if (cell === '#') bits[y * stride + (x >> 3)] = (bits[y * stride + (x >> 3)] ?? 0) | (128 >> (x & 7))
  }
  return { width, height: cells.length, data: deflateSync(bits).toString('base64'), ...more }
}

test('lanes of a building stay with the document through edits, and are no part of what is saved', () => {
  const lane = { start: 0, end: 1, bidirectional: true, speed: 0, human: false }
  const corners = [
    { x: 0, y: 0, name: 'lobby' },
    { x: 1, y: 0, name: '' },
  ]
  const laneGraph = { corners, lanes: [lane] }
  const map = fromRow({ ...row, laneGraph })
  const drawn = withMark(map, { id: 'new', kind: 'virtualWall', name: '', points: corners })
  expect(merge(map, drawn, fromRow({ ...row, laneGraph, revision: 5 })).map.laneGraph).toEqual(laneGraph)
  expect(toRow(drawn)).toEqual(
    toRow(withMark(fromRow(row, map), { id: 'new', kind: 'virtualWall', name: '', points: corners })),
  )
  expect(fromRow({ ...row, laneGraph: null })).not.toHaveProperty('laneGraph')
})

test('a row becomes a document and a row again', () => {
  const { flags, virtualWalls, forbiddenZones, freeAreas } = row
  const map = fromRow(row)
  expect(map.frame).toEqual({ width: 400, height: 200, resolution: 0.05, origin: { x: -3, y: -1, yaw: 0.1 } })
  const withIds = (list: readonly object[]) => list.map((mark) => ({ ...mark, id: expect.any(String) }))
  expect(toRow(map)).toEqual({
    ...{ flags: withIds(flags), virtualWalls: withIds(virtualWalls), erasers: [] },
    ...{ forbiddenZones: withIds(forbiddenZones), freeAreas: withIds(freeAreas) },
  })
})

test('an id that the wire tells stays, and an eraser keeps its width', () => {
  const wire = {
    ...row,
    erasers: [
      {
        id: 'e1',
        name: 'noise',
        points: [
          [0, 0],
          [1, 0],
        ],
        width: 0.9,
      },
    ],
  }
  expect(toRow(fromRow(wire)).erasers).toEqual(wire.erasers)
  expect(fromRow(wire, fromRow({ ...wire, erasers: [] })).marks.find((mark) => mark.kind === 'eraser')?.id).toBe('e1')
})

test('hours come and go back, of elements and of the whole map', () => {
  const hours = { start: '22:00', end: '06:00' }
  const [buffet] = row.forbiddenZones
  const timed = { ...row, hours, forbiddenZones: [{ ...buffet, id: 'a', points: buffet?.points ?? [], hours }] }
  const result = toRow(fromRow(timed))
  expect([result.hours, result.forbiddenZones[0]?.hours]).toEqual([hours, hours])
  const without = toRow(fromRow({ ...timed, hours: null, forbiddenZones: row.forbiddenZones }))
  expect([without.hours, without.forbiddenZones[0]?.hours]).toEqual([undefined, undefined])
})

test('ids survive a sync: by what a mark is, else by its name and kind', () => {
  const idsOf = (marks: readonly { name: string; kind: string; id: string }[]) =>
    Object.fromEntries(marks.map((mark) => [mark.name || mark.kind, mark.id]))
  const before = fromRow(row)
  const grown = row.forbiddenZones.map((zone) =>
    zone.name === 'Buffet' ? { ...zone, points: [...zone.points, [1, 2]] } : zone,
  )
  const after = fromRow({ ...row, revision: 5, forbiddenZones: grown.toReversed() }, before)
  expect(idsOf(after.marks)).toEqual(idsOf(before.marks))
})

test('the grid stays as long as the revision does, and never goes to another map', () => {
  const grid = { width: 400, height: 200, columns: 4, tiles: [] }
  const before = { ...fromRow(row), grid }
  expect(fromRow(row, before).grid).toBe(grid)
  expect(fromRow({ ...row, revision: 5 }, before).grid).toBeUndefined()
  expect(fromRow({ ...row, mapId: 8 }, before).marks[0]?.id).not.toBe(before.marks[0]?.id)
})

test('areas and start points of a task never enter a map', () => {
  const map = fromRow(row)
  const drawn = withOnly(withMark(map, { id: 's', kind: 'startPoint', name: '', at: { x: 0, y: 0, yaw: 0 } }), {
    id: 'a',
    kind: 'taskArea',
    name: '',
    points: [],
  })
  expect(toRow(drawn)).toEqual(toRow(map))
})

/** Cells of a raster of one tile that are set. */
const cellsSet = (raster: Raster): string[] => {
  const set: string[] = []
  for (let y = 0; y < raster.height; y++)
    for (let x = 0; x < raster.width; x++) if (cellAt(raster, x, y)) set.push(`${x},${y}`)
  return set
}

test('a mask is read from its lowest row, highest bit first, at its place', async () => {
  const raster = await fromMask(mask(['#........#', '.#........'], { column: 3, row: 5 }), 20, 10)
  expect(cellsSet(raster)).toEqual(['3,5', '12,5', '4,6'])
})

test('leave out cells of a mask beyond the grid, and bits beyond the mask', async () => {
  const cells = mask(['####', '####', '####'], { column: -2, row: -1 })
  expect(cellsSet(await fromMask(cells, 20, 10))).toEqual(['0,0', '1,0', '0,1', '1,1'])
  expect(cellsSet(await fromMask({ ...cells, column: 18, row: 9 }, 20, 10))).toEqual(['18,9', '19,9'])
  expect(cellsSet(await fromMask({ ...cells, width: 3, height: 2, column: 0, row: 0 }, 20, 10))).toHaveLength(6)
})

test('cells are added in the order they were sent, though a full picture takes longer to unpack', async () => {
  let classified: Raster | undefined
  const cells = cleanedCells(40, 20, (raster) => {
    classified = raster
  })
  const results = [
    cells.apply({ run: 'r', seq: 3, full: mask(['####']) }),
    cells.apply({ run: 'r', seq: 4, spans: [1, 0, 2, 2, 0, 1] }),
    cells.apply({ run: 'r', seq: 4, spans: [1, 0, 2, 2, 0, 1] }),
  ]
  expect(await Promise.all(results)).toEqual([true, true, true])
  expect(classified && countCells(classified, 1)).toBe(7)
})

test('after a gap only a full picture helps', async () => {
  const cells = cleanedCells(40, 20, () => undefined)
  expect(await cells.apply({ run: 'r', seq: 9, spans: [0, 0, 1] })).toBe(false)
  expect(await cells.apply({ run: 'r', seq: 9, full: mask(['#']) })).toBe(true)
  expect(await cells.apply({ run: 'r', seq: 11, spans: [0, 1, 1] })).toBe(false)
  expect(await cells.apply({ run: 'r', seq: 12, spans: [0, 2, 1] })).toBe(false)
  expect(await cells.apply({ run: 'r', seq: 13, full: mask(['####']) })).toBe(true)
  expect(countCells(cells.raster, 1)).toBe(4)
})

test('a new run begins on an empty floor', async () => {
  const cells = cleanedCells(40, 20, () => undefined)
  await cells.apply({ run: 'a', seq: 1, spans: [0, 0, 9] })
  expect(await cells.apply({ run: 'b', seq: 1, spans: [3, 0, 2] })).toBe(true)
  expect(countCells(cells.raster, 1)).toBe(2)
})

test('a mask that cannot be unpacked is an error, and the next message counts all the same', async () => {
  const cells = cleanedCells(40, 20, () => undefined)
  const broken = cells.apply({ run: 'r', seq: 3, full: { width: 4, height: 1, data: btoa('no zlib') } })
  const next = cells.apply({ run: 'r', seq: 4, full: mask(['###']) })
  await expect(broken).rejects.toThrow()
  expect([await next, countCells(cells.raster, 1)]).toEqual([true, 3])
})

test('an eraser without a width goes back as wide as a stroke is drawn', () => {
  const drawn = withMark(fromRow(row), { id: 'e', kind: 'eraser', name: '', points: [] })
  expect(toRow(drawn).erasers).toEqual([{ id: 'e', name: '', points: [], width: ERASER }])
})

test('a room without pictures comes and goes back, and its mark is a change that is merged', () => {
  const room = { id: 'r', name: 'Ward', points: row.forbiddenZones[0]?.points ?? [] }
  const bare = fromRow({ ...row, freeAreas: [room] })
  const marked = fromRow({ ...row, freeAreas: [{ ...room, private: true }] }, bare)
  expect(toRow(bare).freeAreas).toEqual([room])
  expect(toRow(marked).freeAreas).toEqual([{ ...room, private: true }])
  expect(difference(bare, marked).map(({ kind, mark }) => [kind, mark.name])).toEqual([['changed', 'Ward']])
})
