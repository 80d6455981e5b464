/** One map for each floor, and the copies of it that robots have: which of them is like it, and what differs. */
import { type Change, difference } from '@/canvas/document/merge'
import { fromRow, type WireMap } from '@/canvas/document/wire'
import type { MapRow } from './row'

export interface FloorMaps {
  /** The library's, else the one that was changed last. */
  readonly first: MapRow
  /** All of that name on that floor, the first included. */
  readonly maps: readonly MapRow[]
}

const isLibrary = (map: MapRow) => map.deviceId === null

const firstOf = (maps: readonly MapRow[]): MapRow | undefined =>
  maps.toSorted(
    (a, b) => Number(isLibrary(b)) - Number(isLibrary(a)) || Date.parse(b.updateTime) - Date.parse(a.updateTime),
  )[0]

/** Maps of one floor and name together, in the order in which the first of each came. */
export function byFloor(maps: readonly MapRow[]): readonly FloorMaps[] {
  const groups = new Map<string, MapRow[]>()
  for (const map of maps) {
    const key = JSON.stringify([map.building, map.floor, map.name])
    groups.set(key, [...(groups.get(key) ?? []), map])
  }
  return [...groups.values()].flatMap((group) => {
    const first = firstOf(group)
    return first ? [{ first, maps: group }] : []
  })
}

const planOf = ({ width, height, resolution, origin, area }: MapRow) =>
  JSON.stringify([width, height, resolution, origin, area])

/** Elements of two robots are the same by what they are: each robot may have given them ids of its own. */
function withoutIds(copy: MapRow, mapId: number): WireMap {
  const { flags, virtualWalls, forbiddenZones, freeAreas, erasers } = copy
  const bare = <T extends { id?: string }>(marks: readonly T[]) => marks.map((mark) => ({ ...mark, id: '' }))
  return {
    ...copy,
    mapId,
    flags: bare(flags),
    virtualWalls: bare(virtualWalls),
    forbiddenZones: bare(forbiddenZones),
    freeAreas: bare(freeAreas),
    erasers: bare(erasers),
  }
}

/** What would have to be changed on the copy to be like the first; undefined: it is of another plan, or hidden. */
export function changesTo(first: MapRow, copy: MapRow): readonly Change[] | undefined {
  if (first.closed || copy.closed || planOf(first) !== planOf(copy)) return undefined
  const now = fromRow(first)
  return difference(fromRow(withoutIds(copy, first.mapId), now), now)
}
