/**
 * The map that is edited here, as its session has it, and how it is saved: a robot's map at the robot, a map of the library
 * at the server.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import type { Conflict } from '@/canvas/document/merge'
import { changesOf } from '@/canvas/document/session'
import { toRow } from '@/canvas/document/to-row'
import { fromRow } from '@/canvas/document/wire'
import { gridFromPicture } from '@/canvas/paint/decode'
import { RelayRefusal, relayCall } from '@/shared/relay/relay'
import { call, raw } from '@/shared/rpc/call'
import { CODE } from '@/shared/rpc/codes'
import type { Answer } from '@/shared/rpc/contract'
import { Refusal } from '@/shared/rpc/refusal'
import { useDocument } from '@/widgets/map/floor'
import type { MapRow } from '../../row'
import { editMap, useOpenMaps } from './open-maps'

type VersionView = Answer<'/map/version'>

/** Somebody saved in between: what both drew is merged, and may be looked at before it is saved. */
const isLate = (error: unknown) =>
  (error instanceof Refusal && error.code === CODE.CONFLICT) ||
  (error instanceof RelayRefusal && error.reason === 'revision_conflict')

async function send(row: MapRow, doc: MapDocument, onto: number): Promise<number> {
  const marks = toRow(doc)
  if (row.deviceId === null)
    return (await call('/map/saveMap', { mapId: row.mapId, revision: onto, ...marks })).revision
  const bundle = await raw('/map/draft', { mapId: row.mapId, revision: doc.revision, ...marks })
  const form = new FormData()
  form.append('map_name', row.name)
  form.append('revision', String(onto))
  form.append('virlines_wall', JSON.stringify(marks.virtualWalls))
  form.append('free_area', JSON.stringify(marks.freeAreas))
  form.append('forbidden_zone', JSON.stringify(marks.forbiddenZones))
  form.append('file', bundle, `${row.name}.zip`)
  return Number((await relayCall(row.deviceId, 'map/Upload', form)).revision)
}

const silence = () => () => {}

export function useEditing(row: MapRow) {
  const queries = useQueryClient()
  const floor = useDocument(row, false)
  const opened = useOpenMaps((maps) => maps[row.mapId])
  const session = opened?.session
  const state = useSyncExternalStore(session?.listen ?? silence, () => session?.state)
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    const saved = floor.document
    if (!saved) return
    if (!session) void editMap(row, saved)
    else if (saved.revision > session.state.onto)
      session.receive({ ...fromRow(row, session.state.base), grid: saved.grid })
  }, [floor.document, row, session])

  const changes = useMemo(() => (state ? changesOf(state) : []), [state])
  return {
    session,
    left: opened?.left,
    base: state?.base,
    doc: state?.history.now,
    onto: state?.onto ?? row.revision,
    changes,
    conflicts: state?.conflicts ?? [],
    merged: state?.merged ?? 0,
    busy,
    missing: floor.missing,
    decide: (conflict: Conflict, keepOurs: boolean) => session?.decide(conflict, keepOurs),
    /** An older version, as a step that can be undone; it is saved like any other change. */
    restore: async (version: VersionView) => {
      if (!session) return
      const older = fromRow({ ...row, ...version }, session.history.now)
      const picture = await raw('/map/grid', { mapId: row.mapId, revision: version.revision })
      session.commit({ ...older, grid: await gridFromPicture(picture) })
    },
    /** True when it is kept; false when somebody was quicker. */
    save: async (): Promise<boolean> => {
      if (!session) return false
      const { history, onto } = session.state
      setBusy(true)
      try {
        session.markSaved(history.now, await send(row, history.now, onto))
        await queries.invalidateQueries({ queryKey: ['map'] })
        return true
      } catch (error) {
        if (!isLate(error)) throw error
        await queries.invalidateQueries({ queryKey: ['map'] })
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}

export type Editing = ReturnType<typeof useEditing>
