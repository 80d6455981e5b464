/** What was cleaned on a floor today and yesterday by reported runs, as rasters of its map's grid. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { fromMask } from '@/canvas/document/wire'
import type { Raster } from '@/canvas/raster/raster'
import { union } from '@/canvas/raster/union'
import type { Past } from '@/canvas/scene'
import { useCall } from '@/shared/rpc/hooks'

interface Days {
  readonly today: Raster
  readonly yesterday: Raster
}

/** Undefined until it has come, and where it may not be seen. */
function useCleanedDays(document: MapDocument | undefined): Days | undefined {
  const mapId = Number(document?.id)
  const cleaned = useCall('/taskReport/cleanedFloor', { mapId }, { enabled: document !== undefined })
  const { width = 0, height = 0 } = document?.frame ?? {}
  const { data } = cleaned
  const days = useQuery({
    queryKey: ['taskReport', 'cleaned', mapId, data?.today, data?.yesterday, width, height],
    queryFn: async () => {
      if (!data || data.revision !== document?.revision) return null // the grid that it is of comes next
      const [today, yesterday] = await Promise.all([
        fromMask(data.today, width, height),
        fromMask(data.yesterday, width, height),
      ])
      return { today, yesterday }
    },
    enabled: data !== undefined && document !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return days.data ?? undefined
}

/** Today's cells in full colour and yesterday's paler; while a run goes on that is watched, all but its own are pale. */
export function usePast(document: MapDocument | undefined, running = false): Past {
  const days = useCleanedDays(document)
  return useMemo(() => {
    if (!days) return {}
    return running ? { faded: union([days.today, days.yesterday]) } : { cells: days.today, faded: days.yesterday }
  }, [days, running])
}
