/** Maps that are edited, past any screen: put by with each change, offered after a reload, each account's its own. */
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withMark } from '@/canvas/document/document'
import { changesOf } from '@/canvas/document/session'
import { fromRow, type WireMap } from '@/canvas/document/wire'
import { useSessionStore } from '@/shared/session/session'
import { useUnsaved } from '@/shared/ui/unsaved'
import type { MapRow } from '../../row'
import { loadDrawing } from './drawings'
import { discardLeft, editMap, resumeDrawing, useOpenMaps } from './open-maps'

const ANN = 3
const BOB = 4
const PATH = '/device/maplist/6'
const PATIENCE = { timeout: 20_000 }
const row = (revision = 1, walls: string[] = [], mapId = 6) =>
  ({
    ...{ mapId, name: 'ward', deviceId: null, revision, resolution: 0.05, width: 100, height: 80, origin: [0, 0, 0] },
    ...{ flags: [], forbiddenZones: [], freeAreas: [], erasers: [] },
    virtualWalls: walls.map((name) => ({ id: name, name, points: [[0, 0]] })),
  }) as unknown as MapRow
const wall = (name: string) => ({ id: name, kind: 'virtualWall' as const, name, points: [{ x: 0, y: 0 }] })

const logIn = (userId: number | undefined) =>
  useSessionStore.setState({
    session: userId === undefined ? undefined : ({ userId, token: 't', permissionKeys: {} } as never),
  })
const opened = (mapId = 6) => useOpenMaps.getState()[mapId]
const open = async (of = row()) => {
  await editMap(of, fromRow(of as unknown as WireMap))
  return opened(of.mapId)
}
/** Draws a wall, and waits until it is put by. */
async function draw(name: string, mapId = 6, userId = ANN) {
  const session = opened(mapId)?.session
  session?.commit(withMark(session.history.now, wall(name)))
  await vi.waitFor(async () => expect(await stored(mapId, userId)).toContain(name), PATIENCE)
}
const stored = async (mapId = 6, userId = ANN) =>
  (await loadDrawing(userId, mapId))?.map.marks.map((mark) => mark.name) ?? []
/** All that a page load holds goes; what is put by stays. */
const reload = () => {
  useOpenMaps.setState({}, true)
  useUnsaved.setState({}, true)
}

beforeEach(() => logIn(ANN))
afterEach(async () => {
  logIn(undefined)
  await deleteDB('lustra-drawings')
})

test('a map that is opened again goes on where it stood, undo steps included', async () => {
  await open()
  await draw('A')
  await draw('B')
  const again = await open()
  expect(again?.session.history.past).toHaveLength(2)
  expect(again?.left).toBeUndefined()
})

test('mark the tab until it is saved', async () => {
  await open()
  expect(useUnsaved.getState()[PATH]).toBeUndefined()
  await draw('A')
  expect(useUnsaved.getState()[PATH]).toBeDefined()
  const session = opened()?.session
  session?.markSaved(session.history.now, 2)
  expect(useUnsaved.getState()[PATH]).toBeUndefined()
  await vi.waitFor(async () => expect(await stored()).toEqual([]), PATIENCE)
})

test('after a reload the drawing is offered, and taken up as a step', async () => {
  await open()
  await draw('A')
  reload()
  const again = await open()
  expect(again?.left?.map.marks.map((mark) => mark.name)).toEqual(['A'])
  expect(changesOf(again?.session.state as never)).toEqual([]) // not taken up unasked
  await resumeDrawing(6)
  expect(opened()?.left).toBeUndefined()
  expect(opened()?.session.history.now.marks.map((mark) => mark.name)).toEqual(['A'])
  expect(opened()?.session.history.past).toHaveLength(1)
  expect(useUnsaved.getState()[PATH]).toBeDefined()
})

test('merge what somebody saved meanwhile into a draft that is taken up', async () => {
  await open()
  await draw('A')
  reload()
  await open(row(2, ['C']))
  await resumeDrawing(6)
  const session = opened()?.session
  expect(session?.history.now.marks.map((mark) => mark.name).sort()).toEqual(['A', 'C'])
  expect(session?.state).toMatchObject({ onto: 2, merged: 2 })
})

test('keep a draft whole when others save while it is offered', async () => {
  await open()
  await draw('A')
  reload()
  const again = await open()
  again?.session.receive({ ...fromRow(row(2, ['C']) as unknown as WireMap) })
  reload()
  expect((await open(row(2, ['C'])))?.left?.map.marks.map((mark) => mark.name)).toEqual(['A'])
})

test('a drawing that is saved by now is not offered', async () => {
  await open()
  await draw('A')
  reload()
  expect((await open(row(2, ['A'])))?.left).toBeUndefined()
  await vi.waitFor(async () => expect(await stored()).toEqual([]), PATIENCE)
})

test('a drawing that is discarded is not offered again', async () => {
  await open()
  await draw('A')
  reload()
  await open()
  discardLeft(6)
  expect(opened()?.left).toBeUndefined()
  reload()
  expect((await open())?.left).toBeUndefined()
})

test('a log-out closes all; the account is offered its own again, another account nothing', async () => {
  await open()
  await draw('A')
  logIn(undefined)
  expect([useOpenMaps.getState(), useUnsaved.getState()]).toEqual([{}, {}])
  logIn(BOB)
  expect((await open())?.left).toBeUndefined()
  await draw('B', 6, BOB)
  logIn(ANN)
  expect((await open())?.left?.map.marks.map((mark) => mark.name)).toEqual(['A'])
})

test('a tab that closes puts its drawing by, or discards it', async () => {
  await open()
  await draw('A')
  useUnsaved.getState()[PATH]?.putBy()
  expect([opened(), useUnsaved.getState()[PATH]]).toEqual([undefined, undefined])
  expect((await open())?.left).toBeDefined()
  await resumeDrawing(6)
  useUnsaved.getState()[PATH]?.discard()
  expect([opened(), useUnsaved.getState()[PATH]]).toEqual([undefined, undefined])
  expect((await open())?.left).toBeUndefined()
})

test('maps without a change are let go when many are open; one with a change never', async () => {
  await open()
  await draw('A')
  for (let mapId = 10; mapId < 30; mapId++) await open(row(1, [], mapId))
  expect(Object.keys(useOpenMaps.getState())).toHaveLength(11)
  expect(opened()).toBeDefined()
})

test('leaving the console asks while something is not saved, and then no more', async () => {
  const asks = () => {
    const event = new Event('beforeunload', { cancelable: true })
    dispatchEvent(event)
    return event.defaultPrevented
  }
  await open()
  expect(asks()).toBe(false)
  await draw('A')
  expect(asks()).toBe(true)
  logIn(BOB)
  expect(asks()).toBe(false)
})
