/** A floor keeps what was cleaned today in full colour and yesterday's paler; beside a run that goes on all else is pale. */
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { MapDocument } from '@/canvas/document/document'
import type { WireMask } from '@/canvas/document/wire'
import { cellAt, type Raster } from '@/canvas/raster/raster'
import type { Past } from '@/canvas/scene'
import { stage } from '../testing/test-stage'
import { usePast } from './past'

const mask = (column: number): WireMask => ({
  ...{ width: 1, height: 1, column, row: 0 },
  data: deflateSync(Uint8Array.of(0x80)).toString('base64'),
})
const FLOOR: MapDocument = {
  ...{ id: '4', name: 'Ground', revision: 3, grid: undefined, marks: [] },
  frame: { width: 8, height: 8, resolution: 0.05, origin: { x: 0, y: 0, yaw: 0 } },
}

async function showPast(running: boolean, revision = 3): Promise<() => Past> {
  let past: Past = {}
  function Reader() {
    past = usePast(FLOOR, running)
    return null
  }
  const answers = { '/taskReport/cleanedFloor': { revision, today: mask(1), yesterday: mask(2) } }
  const { of } = await stage(Reader, { at: '/x', answers })
  await expect.poll(() => of('/taskReport/cleanedFloor').map(({ payload }) => payload)).toEqual([{ mapId: 4 }])
  return () => past
}

const painted = (raster: Raster | undefined) => raster && [0, 1, 2].filter((column) => cellAt(raster, column, 0))

test('today stays in full colour, yesterday is paler', async () => {
  const past = await showPast(false)
  await expect.poll(() => painted(past().cells)).toEqual([1])
  expect(painted(past().faded)).toEqual([2])
})

test('while a run goes on, only its own cells are in full colour', async () => {
  const past = await showPast(true)
  await expect.poll(() => painted(past().faded)).toEqual([1, 2])
  expect(past().cells).toBeUndefined()
})

test('cells of another version of the map are not laid on this one', async () => {
  const past = await showPast(false, 4)
  await new Promise((done) => setImmediate(done))
  expect(past()).toEqual({})
})
