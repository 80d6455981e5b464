/**
 * A robot's row as far as the panels show it: the same object until something that they say has changed. Poses come ten
 * times a second; what shows them (the map, the speed) listens by itself, and the page is not drawn anew for them.
 */
import { useMemo } from 'react'
import type { LiveRow } from '@/shared/live/frames'
import { live, useLive } from '@/shared/live/live'

const stillKey = (row: LiveRow | undefined) =>
  row &&
  [
    ...[row.mode, row.help, row.banners.join(), row.run, row.taskName, row.charging, row.simulated, row.liftName],
    ...[row.mapName, row.mapId, row.mapRevision, row.offlineSince, row.offlineReason],
    Math.round(row.clockOff / 60_000),
    ...[row.battery, row.liquid, row.progress * 100, row.cleaned, row.planned, row.remainingS / 10].map(Math.round),
    row.uncertainty.toFixed(2),
  ].join('|')

export function useStill(id: number): LiveRow | undefined {
  const key = useLive((store) => stillKey(store.robot(id)?.row))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is shown of the row
  return useMemo(() => live.robot(id)?.row, [id, key])
}
