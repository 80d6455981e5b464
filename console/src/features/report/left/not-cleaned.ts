/** What a run did not clean: areas, patches and cells, as the server makes them out from the robot's report. */
import { useQuery } from '@tanstack/react-query'
import { fromMask } from '@/canvas/document/wire'
import type { Raster } from '@/canvas/raster/raster'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import type { Detail } from '../detail'

export type NotCleaned = Answer<'/taskReport/notCleaned'>
export type LeftPatch = NotCleaned['list'][number]

/** Patches that a robot can still clean, the largest first. */
export const cleanable = (left: NotCleaned | undefined): readonly LeftPatch[] =>
  (left?.list ?? []).filter(({ start }) => start !== null).sort((a, b) => b.area - a.area)

/** Undefined until it is known, and of a robot that does not say. */
export function useNotCleaned({ taskReportId, map }: Detail): NotCleaned | undefined {
  const left = useCall('/taskReport/notCleaned', { taskReportId }, { enabled: map !== null })
  return left.data?.known ? left.data : undefined
}

const KINDS = ['missed', 'blocked', 'unreachable'] as const
type Rasters = Readonly<Record<(typeof KINDS)[number], Raster | undefined>>

/** Their cells on the grid of the run's map. */
export function useLeftCells({ taskReportId, map }: Detail, left: NotCleaned | undefined): Rasters | undefined {
  const unpacked = useQuery({
    queryKey: ['taskReport', 'left', taskReportId, left?.missed, left?.blocked, left?.unreachable],
    queryFn: async () => {
      const raster = (kind: keyof Rasters) =>
        left?.[kind] && map ? fromMask(left[kind], map.width, map.height) : undefined
      const [missed, blocked, unreachable] = await Promise.all(KINDS.map(raster))
      return { missed, blocked, unreachable }
    },
    enabled: left !== undefined && map !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return unpacked.data
}
