/** A map that came without rooms gets those that the server finds in its picture: robots can clean them at once. */
import type { MapDocument } from '@/canvas/document/document'
import { toRow } from '@/canvas/document/to-row'
import { call } from '@/shared/rpc/call'
import { roomsOf, withProposals } from '../editor/rooms/rooms'

const FIRST = 1 // revision of a map that has just come

export const hasRooms = (map: MapDocument) => roomsOf(map.marks).length > 0

export async function drawRooms(mapId: number, map: MapDocument, numbered: (number: number) => string) {
  const { list } = await call('/map/findRooms', { mapId })
  const { map: drawn, ids } = withProposals(map, list, numbered)
  if (ids.length === 0) return
  const marks = toRow(drawn)
  await call('/map/saveMap', { mapId, revision: FIRST, ...marks })
}
