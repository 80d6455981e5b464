/** A save says which revision it was drawn upon, so that the server can refuse one that would overwrite another's. */
import 'fake-indexeddb/auto'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { deleteDB } from 'idb'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { withMark } from '@/canvas/document/document'
import { fromRow, type WireMap } from '@/canvas/document/wire'
import { useSessionStore } from '@/shared/session/session'
import type { MapRow } from '../../row'
import { editMap, useOpenMaps } from './open-maps'
import { useEditing } from './use-editing'

const row = (revision: number, walls: string[] = []) =>
  ({
    ...{ mapId: 6, name: 'ward', deviceId: null, revision, resolution: 0.05, width: 100, height: 80 },
    ...{ origin: [0, 0, 0], flags: [], forbiddenZones: [], freeAreas: [], erasers: [] },
    virtualWalls: walls.map((name) => ({ id: name, name, points: [[0, 0]] })),
  }) as unknown as MapRow
const wall = (name: string) => ({ id: name, kind: 'virtualWall' as const, name, points: [{ x: 0, y: 0 }] })

afterEach(async () => {
  vi.unstubAllGlobals()
  useOpenMaps.setState({}, true)
  useSessionStore.setState({ session: undefined })
  await deleteDB('lustra-drawings')
})

/** The map opened for editing upon revision 4, and what the server was asked to save. */
async function open() {
  const saved: Record<string, unknown>[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    if (!url.endsWith('/map/saveMap')) return new Response('', { status: 404 })
    const payload = JSON.parse(String(body)) as { revision: number }
    saved.push(payload)
    return Response.json({ message: { code: 0, message: '' }, data: { revision: payload.revision + 1 } })
  })
  useSessionStore.setState({ session: { userId: 3, token: 't', permissionKeys: {} } as never })
  await editMap(row(4), fromRow(row(4) as unknown as WireMap))
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useEditing(row(4)), { wrapper })
  const session = result.current.session
  if (!session) throw new Error('the map is not open')
  act(() => session.commit(withMark(session.history.now, wall('ours'))))
  return { saved, session, result }
}

test('[state.map_edit.view] [state.map_edit.t05] a map is edited until it is saved or what was drawn is discarded', async () => {
  const { session, result } = await open()
  expect(result.current.changes).toHaveLength(1)
  act(() => session.discard())
  expect(result.current.changes).toEqual([])
  act(() => session.commit(withMark(session.history.now, wall('kept'))))
  expect(result.current.changes).toHaveLength(1)
  await act(() => result.current.save())
  expect(result.current.changes).toEqual([])
  expect(result.current.onto).toBe(5)
})

test('a save names the revision that was drawn upon, the next one the revision that came of it', async () => {
  const { saved, session, result } = await open()
  await act(() => result.current.save())
  act(() => session.commit(withMark(session.history.now, wall('more'))))
  await act(() => result.current.save())
  await waitFor(() =>
    expect(saved.map(({ mapId, revision }) => [mapId, revision])).toEqual([
      [6, 4],
      [6, 5],
    ]),
  )
})

test('after somebody else saved, a save names their revision', async () => {
  const { saved, session, result } = await open()
  act(() => session.receive(fromRow(row(7, ['theirs']) as unknown as WireMap)))
  await act(() => result.current.save())
  expect(saved.map(({ revision }) => revision)).toEqual([7])
})
