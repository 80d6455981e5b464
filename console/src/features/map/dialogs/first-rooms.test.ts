/** A map that comes without rooms is saved once more with those that the server finds. */
import { afterEach, expect, test, vi } from 'vitest'
import type { MapDocument } from '@/canvas/document/document'
import { drawRooms, hasRooms } from './first-rooms'

afterEach(() => vi.unstubAllGlobals())

const MAP: MapDocument = {
  ...{ id: 'preview-0', name: 'Ward', revision: 1, grid: undefined },
  marks: [{ id: 'd', kind: 'charging', name: 'Dock', at: { x: 1, y: 1, yaw: 0 } }],
  frame: { width: 100, height: 100, resolution: 0.1, origin: { x: 0, y: 0, yaw: 0 } },
}
const ROOM = {
  ...{ at: [2, 2], area: 16 },
  points: [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
  ],
}

/** The server finds these rooms; what is sent to it. */
function server(list: readonly object[]) {
  const sent: { path: string; payload: Record<string, unknown> }[] = []
  vi.stubGlobal('fetch', async (url: string | URL, { body }: RequestInit) => {
    const path = String(url).replace(/.*\/api/, '')
    sent.push({ path, payload: JSON.parse(String(body)) })
    const data = path === '/map/findRooms' ? { list } : { revision: 2 }
    return Response.json({ message: { code: 0, message: '' }, data })
  })
  return sent
}

test('rooms that are found are saved beside what the map brought', async () => {
  const sent = server([ROOM])
  expect(hasRooms(MAP)).toBe(false)
  await drawRooms(7, MAP, (number) => `Room ${number}`)
  expect(sent.map(({ path }) => path)).toEqual(['/map/findRooms', '/map/saveMap'])
  expect(sent[1]?.payload).toMatchObject({
    ...{ mapId: 7, revision: 1, flags: [{ name: 'Dock' }] },
    freeAreas: [{ name: 'Room 1', points: ROOM.points }],
  })
})

test('a map in which none is found stays as it came', async () => {
  const sent = server([])
  await drawRooms(7, MAP, String)
  expect(sent.map(({ path }) => path)).toEqual(['/map/findRooms'])
})
