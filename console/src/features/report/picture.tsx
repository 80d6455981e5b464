/** What a run painted, on its floor: cells and driven lanes as the report carries them. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { fromMask } from '@/canvas/document/wire'
import type { Callout } from '@/canvas/paint/text'
import { readPalette } from '@/canvas/palette'
import type { Raster } from '@/canvas/raster/raster'
import { renderStill, renderTile } from '@/canvas/tile'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import { useMode } from '@/shared/theme/scheme'
import { type Floor, useFrame } from '@/widgets/map/floor'
import type { Detail } from './detail'
import { cleanable, type NotCleaned, useLeftCells } from './left/not-cleaned'

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

export const useReportFloor = ({ map, taskReportId }: Detail): Floor =>
  useFrame(map, !map, (signal) => raw('/taskReport/floor', { taskReportId }, signal))

interface Props {
  report: Detail
  floor: NonNullable<Floor['document']>
  left?: NotCleaned | undefined
  small?: boolean
  label: string
  className: string | undefined
}

const MOST_CALLOUTS = 6 // the largest places: more would hide the floor

/** What was left where, said on the floor. */
function useCallouts(left: NotCleaned | undefined): readonly Callout[] {
  const { t } = useTranslation('report')
  const { area, number } = useFormats()
  return useMemo(
    () =>
      cleanable(left)
        .slice(0, MOST_CALLOUTS)
        .map(({ kind, at: [x, y], times, ...patch }) => ({
          at: { x, y },
          lines: [
            `${t(kind)} ${area(patch.area).text}`,
            ...(times > 1 ? [t('same-place', { number: number(times) })] : []),
          ],
          tone: kind === 'blocked' ? 'blocked' : 'missed',
        })),
    [left, t, area, number],
  )
}

const SMALL_EDGE = 2 // px round the floor in a table row

export function Picture({ report, floor, left, small = false, label, className }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const cells = useCells(report)
  const leftCells = useLeftCells(report, left)
  const callouts = useCallouts(left)
  const theme = useMode()
  const { driven } = report
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the palette reads
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const options = { document: floor, palette: readPalette(element), ...(cells && { cells }), ...leftCells }
    const draw = () => {
      if (small) renderTile(element, { ...options, padding: SMALL_EDGE })
      else renderStill(element, { ...options, driven, callouts, furniture: true })
    }
    const resized = new ResizeObserver(draw)
    resized.observe(element)
    return () => resized.disconnect()
  }, [floor, cells, leftCells, callouts, driven, small, theme])
  return <canvas ref={canvas} className={className} role="img" aria-label={label} />
}
