/** What a run painted, on its floor: cells and driven lanes as the report carries them. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { fromMask } from '@/canvas/document/wire'
import { readPalette } from '@/canvas/palette'
import type { Raster } from '@/canvas/raster/raster'
import { renderStill, renderTile } from '@/canvas/tile'
import type { Answer } from '@/shared/rpc/contract'
import { useMode } from '@/shared/theme/scheme'
import { type Floor, useFrame } from '@/widgets/map/floor'

export type Detail = Answer<'/taskReport/detail'>

/** The cells of a report on the grid of its map. */
function useCells(report: Detail): Raster | null | undefined {
  const { cells, map, taskReportId, cleanedArea } = report
  const unpacked = useQuery({
    queryKey: ['taskReport', 'cells', taskReportId, cleanedArea],
    queryFn: () => (cells && map ? fromMask(cells, map.width, map.height) : null),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return unpacked.data
}

export const useReportFloor = (report: Detail): Floor => useFrame(report.map, !report.map, report.taskReportId)

interface Props {
  report: Detail
  floor: NonNullable<Floor['document']>
  small?: boolean
  label: string
  className: string | undefined
}

const SMALL_EDGE = 2 // px round the floor in a table row

export function Picture({ report, floor, small = false, label, className }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const cells = useCells(report)
  const theme = useMode()
  const { driven } = report
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the palette reads
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const options = { document: floor, palette: readPalette(element), ...(cells && { cells }) }
    const draw = () => {
      if (small) renderTile(element, { ...options, padding: SMALL_EDGE })
      else renderStill(element, { ...options, driven, furniture: true })
    }
    const resized = new ResizeObserver(draw)
    resized.observe(element)
    return () => resized.disconnect()
  }, [floor, cells, driven, small, theme])
  return <canvas ref={canvas} className={className} role="img" aria-label={label} />
}
