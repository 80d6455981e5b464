/** A floor as pictures need it: its frame and walls. The grid is fetched once a revision and kept. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { fromRow, type WireMap } from '@/canvas/document/wire'
import { gridFromPicture } from '@/canvas/paint/decode'
import { raw } from '@/shared/rpc/call'
import { useCall } from '@/shared/rpc/hooks'

const MAPS_FRESH_MS = 5 * 60_000

/** Fetches the picture where it is not read as a map: reports and alarms have calls of their own, which need no key of
 * the maps. */
type FetchPicture = (signal: AbortSignal) => Promise<Blob>

function useGrid(map: { mapId: number; revision: number } | undefined, fetchPicture?: FetchPicture) {
  return useQuery({
    queryKey: ['map', '/map/grid', map?.mapId, map?.revision],
    queryFn: async ({ signal }) => {
      if (!map) throw new Error('no map to fetch')
      return gridFromPicture(
        fetchPicture
          ? await fetchPicture(signal)
          : await raw('/map/grid', { mapId: map.mapId, revision: map.revision }, signal),
      )
    },
    enabled: map !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export interface Floor {
  readonly document: MapDocument | undefined
  /** There is no such floor, or it cannot be had. */
  readonly missing: boolean
  /** The customer keeps support out. */
  readonly closed: boolean
}

export type Row = Omit<WireMap, 'mapId'> & { mapId: number; closed?: boolean }
type Frame = Pick<Row, 'mapId' | 'revision' | 'resolution' | 'origin' | 'width' | 'height' | 'closed'>

/** The map of a row that is at hand already, with its marks. */
export function useDocument(row: Row | undefined, none: boolean, fetchPicture?: FetchPicture): Floor {
  const closed = row?.closed === true
  const grid = useGrid(closed ? undefined : row, fetchPicture)
  const document = useMemo(
    () => row && !row.closed && grid.data && { ...fromRow(row), grid: grid.data },
    [row, grid.data],
  )
  return { document: document || undefined, missing: none || grid.isError, closed }
}

/** A floor without marks, from its frame alone: pictures of runs and tiles show none. */
export function useFrame(map: Frame | null | undefined, none = !map, fetchPicture?: FetchPicture): Floor {
  const row = useMemo(
    () => (map ? { ...map, name: '', flags: [], virtualWalls: [], forbiddenZones: [], freeAreas: [] } : undefined),
    [map],
  )
  return useDocument(row, none, fetchPicture)
}

/** The map `mapId` that a robot knows; undefined while it knows none. */
export function useFloor(deviceId: number | undefined, mapId: number | null | undefined): Floor {
  const known = deviceId !== undefined && mapId != null
  const maps = useCall('/map/selectMap', { deviceId: deviceId ?? null }, { enabled: known, staleTime: MAPS_FRESH_MS })
  const map = maps.data?.list.find((row) => row.mapId === mapId)
  return useFrame(map, maps.isError || (maps.isSuccess && !map) || !known)
}
