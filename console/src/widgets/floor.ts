/** A floor as pictures need it: its frame and walls. The grid is fetched once a revision and kept. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MapDocument } from '@/canvas/document'
import { fromRow, gridFromPicture, type WireMap } from '@/canvas/wire'
import { raw } from '@/shared/rpc/call'
import { useCall } from '@/shared/rpc/hooks'

const MAPS_FRESH_MS = 5 * 60_000

function useGrid(map: { mapId: number; revision: number } | undefined) {
  return useQuery({
    queryKey: ['map', '/map/grid', map?.mapId, map?.revision],
    queryFn: async ({ signal }) => {
      if (!map) throw new Error('no map to fetch')
      return gridFromPicture(await raw('/map/grid', { mapId: map.mapId, revision: map.revision }, signal))
    },
    enabled: map !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export interface Floor {
  readonly document: MapDocument | undefined
  /** There is no such floor, or it cannot be had. */
  readonly missing: boolean
}

/** The map `mapId` that a robot knows; undefined while it knows none. */
export function useFloor(deviceId: number, mapId: number | null | undefined): Floor {
  const maps = useCall('/map/selectMap', { deviceId }, { enabled: mapId != null, staleTime: MAPS_FRESH_MS })
  const row = maps.data?.list.find((map: { mapId: number }) => map.mapId === mapId)
  return useDocument(row, maps.isError || (maps.isSuccess && !row) || mapId == null)
}

/** The floor of a report: the frame stands in the report itself, at the revision of its run. */
export function useFrame(map: Frame | null | undefined): Floor {
  const row = useMemo(
    () => map && { ...map, name: '', flags: [], virtualWalls: [], forbiddenZones: [], freeAreas: [] },
    [map],
  )
  return useDocument(row ?? undefined, !map)
}

export type Row = Omit<WireMap, 'mapId'> & { mapId: number }
type Frame = Pick<Row, 'mapId' | 'revision' | 'resolution' | 'origin' | 'width' | 'height'>

/** The map of a row that is at hand already. */
export function useDocument(row: Row | undefined, none: boolean): Floor {
  const grid = useGrid(row)
  const document = useMemo(() => row && grid.data && { ...fromRow(row), grid: grid.data }, [row, grid.data])
  return { document, missing: none || grid.isError }
}
