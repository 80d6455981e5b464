/**
 * What is being edited, upon which revision, and how it is saved. Somebody else's revision is merged at once, as a step
 * that can be undone; nothing is overwritten. A robot's map is saved at the robot, a map of the library at the server.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { MapDocument } from '@/canvas/document'
import { type Conflict, difference, merge, settled } from '@/canvas/merge'
import { toRow } from '@/canvas/to-row'
import type { MapView } from '@/canvas/view'
import { fromRow, gridFromPicture, type WireMap } from '@/canvas/wire'
import { RelayRefusal, relayCall } from '@/shared/relay/relay'
import { call, raw } from '@/shared/rpc/call'
import type { Answer, Payload } from '@/shared/rpc/contract'
import { Refusal } from '@/shared/rpc/refusal'
import { useDocument } from '@/widgets/floor'
import type { MapRow } from '../row'

const CONFLICT = 40009

type VersionView = Answer<'/map/version'>

/** Somebody saved in between: what both drew is merged, and may be looked at before it is saved. */
const isLate = (error: unknown) =>
  (error instanceof Refusal && error.code === CONFLICT) ||
  (error instanceof RelayRefusal && error.reason === 'revision_conflict')

async function send(row: MapRow, doc: MapDocument, onto: number): Promise<number> {
  const marks = toRow(doc) as unknown as Omit<Payload<'/map/saveMap'>, 'mapId' | 'revision'>
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

export function useEditing(row: MapRow, view: MapView | undefined) {
  const queries = useQueryClient()
  const floor = useDocument(row, false)
  const [base, setBase] = useState<MapDocument>()
  const [doc, setDoc] = useState<MapDocument>()
  const [onto, setOnto] = useState(row.revision)
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  const [merged, setMerged] = useState(0)
  const [busy, setBusy] = useState(false)
  const now = useRef({ base, doc, onto })
  now.current = { base, doc, onto }

  useEffect(() => {
    const { base: was, doc: mine, onto: known } = now.current
    const newest = floor.document
    if (!newest) return
    if (!was || !mine) {
      setBase(newest)
      setDoc(newest)
      setOnto(newest.revision)
      return
    }
    if (newest.revision <= known) return
    const theirs = { ...fromRow(row as WireMap, was), grid: newest.grid }
    const both = merge(was, mine, theirs)
    setBase(theirs)
    setOnto(theirs.revision)
    setConflicts(both.conflicts)
    if (difference(was, mine).length > 0) setMerged(theirs.revision)
    view?.editor.commit(both.map)
  }, [floor.document, row, view])

  const changes = base && doc ? difference(base, doc) : []
  return {
    ...{ base, doc, onto, changes, conflicts, merged, busy },
    missing: floor.missing,
    /** From the view: it keeps the steps. */
    changed: setDoc,
    decide: (conflict: Conflict, mine: boolean) => {
      setConflicts((all) => all.filter((one) => one.id !== conflict.id))
      if (!mine && view) view.editor.commit(settled(view.editor.map, conflict))
    },
    /** An older version, as a step that can be undone; it is saved like any other change. */
    restore: async (version: VersionView) => {
      if (!doc || !view) return
      const told = fromRow({ ...row, ...version } as unknown as WireMap, doc)
      const picture = await raw('/map/grid', { mapId: row.mapId, revision: version.revision })
      view.editor.commit({ ...told, grid: await gridFromPicture(picture) })
    },
    /** True when it is kept; false when somebody was quicker. */
    save: async (): Promise<boolean> => {
      if (!doc) return false
      setBusy(true)
      try {
        const revision = await send(row, doc, onto)
        setBase(doc)
        setOnto(revision)
        setMerged(0)
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
