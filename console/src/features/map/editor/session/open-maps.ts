/**
 * The maps that are being edited, by id, past any screen: another tab of the console takes nothing away, undo steps included.
 * Each change is put by in the browser; what an earlier page load left is offered, never taken up unasked. A log-out, or
 * another account, closes all: what was put by waits for its own account.
 */
import { create } from 'zustand'
import type { MapDocument } from '@/canvas/document/document'
import { createEditSession, drawingOf, type EditSession, isUnsaved } from '@/canvas/document/session'
import { fromRow } from '@/canvas/document/wire'
import { gridFromPicture } from '@/canvas/paint/decode'
import { raw } from '@/shared/rpc/call'
import { reportError } from '@/shared/rpc/client-error'
import { currentSession, useSessionStore } from '@/shared/session/session'
import { markSaved, markUnsaved } from '@/shared/ui/unsaved'
import { mapPath } from '@/widgets/paths'
import type { MapRow } from '../../row'
import { deleteDrawing, loadDrawing, type StoredDrawing, storeDrawing } from './drawings'

const MOST = 10 // maps that stay open without a change

export interface OpenMap {
  readonly userId: number
  readonly session: EditSession
  /** What an earlier page load left, until somebody decides. */
  readonly left: StoredDrawing | undefined
}

export const useOpenMaps = create<Readonly<Record<number, OpenMap>>>(() => ({}))
const openMap = (mapId: number): OpenMap | undefined => useOpenMaps.getState()[mapId]
const opening = new Map<number, Promise<void>>()

/** Without the browser's store the drawing stays as long as the page; leaving it still asks. */
const report = (error: unknown) => reportError('rejection', error)

/** Each change: put by while it is not saved, forgotten when it is. What is still offered stays as it was put by. */
function keep(mapId: number, userId: number, session: EditSession) {
  const opened = openMap(mapId)
  if (opened?.session !== session || opened.left) return
  if (isUnsaved(session.state)) {
    markUnsaved(mapPath(mapId), { discard: () => discardMap(mapId), putBy: () => putByMap(mapId) })
    storeDrawing(userId, mapId, drawingOf(session.state)).catch(report)
  } else {
    markSaved(mapPath(mapId))
    deleteDrawing(userId, mapId).catch(report)
  }
}

/** A map to edit, as it is saved, beside what was left of it here. */
async function begin(row: MapRow, saved: MapDocument): Promise<void> {
  const { mapId } = row
  const userId = currentSession()?.userId
  if (userId === undefined) return
  const stored = await loadDrawing(userId, mapId).catch(() => undefined)
  if (userId !== currentSession()?.userId || openMap(mapId)) return
  // not every robot keeps ids: the drawing's lend themselves to what is the same
  const base = stored ? { ...fromRow(row, stored.base), grid: saved.grid } : saved
  const session = createEditSession(base)
  const left = stored && isLeft(base, stored) ? stored : undefined
  if (stored && !left) deleteDrawing(userId, mapId).catch(report)
  dropUnchanged()
  useOpenMaps.setState({ [mapId]: { userId, session, left } })
  session.listen(() => keep(mapId, userId, session))
}

/** Is there anything of it that is not saved by now? */
function isLeft(saved: MapDocument, drawing: StoredDrawing): boolean {
  const trial = createEditSession(saved)
  trial.resume(drawing, undefined)
  return isUnsaved(trial.state)
}

/** Opens a map once, however often it is asked for. */
export function editMap(row: MapRow, saved: MapDocument): Promise<void> {
  const { mapId } = row
  const begun = opening.get(mapId) ?? begin(row, saved).finally(() => opening.delete(mapId))
  opening.set(mapId, begun)
  return begun
}

function close(mapId: number) {
  const { [mapId]: _, ...others } = useOpenMaps.getState()
  useOpenMaps.setState(others, true)
}

function dropUnchanged() {
  const unchanged = Object.entries(useOpenMaps.getState()).filter(([, { session }]) => !isUnsaved(session.state))
  for (const [mapId] of unchanged.slice(0, Math.max(0, unchanged.length - MOST + 1))) close(Number(mapId))
}

/** Takes up what was left, as a step that can be undone. */
export async function resumeDrawing(mapId: number): Promise<void> {
  const { session, left } = openMap(mapId) ?? {}
  if (!session || !left) return
  const { base } = session.state
  const older = left.onto === base.revision && left.map.revision !== left.base.revision // an older version brought back
  const grid = older ? await gridFromPicture(await raw('/map/grid', { mapId, revision: left.map.revision })) : base.grid
  if (openMap(mapId)?.left !== left) return
  settleLeft(mapId)
  session.resume(left, grid)
}

export function discardLeft(mapId: number) {
  const { userId } = openMap(mapId) ?? {}
  if (userId === undefined) return
  settleLeft(mapId)
  deleteDrawing(userId, mapId).catch(report)
}

function settleLeft(mapId: number) {
  const opened = openMap(mapId)
  if (opened) useOpenMaps.setState({ [mapId]: { ...opened, left: undefined } })
}

function discardMap(mapId: number) {
  openMap(mapId)?.session.discard()
  close(mapId)
}

/** It is in the browser's store already, with its last change. */
function putByMap(mapId: number) {
  markSaved(mapPath(mapId))
  close(mapId)
}

useSessionStore.subscribe(({ session }, before) => {
  if (session?.userId !== before.session?.userId) useOpenMaps.setState({}, true)
})
