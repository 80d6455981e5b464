/** The other robots that are on the same floor of the same building now: they stand on its map as well. */
import { useEffect, useMemo } from 'react'
import type { MapView } from '@/canvas/view'
import { ageOf } from '@/shared/live/age'
import { live, useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import type { NamedRobot } from '@/widgets/robot/robot-spots'

/** The floor of a building, by the map that is loaded; maps of one building share a frame. */
export interface Level {
  readonly building: string
  readonly floor: string
}

export function useOthers(
  { deviceId, ownerUserId }: { deviceId: number; ownerUserId: number },
  { building, floor }: Level,
  view: MapView | undefined,
): readonly NamedRobot[] {
  const { data } = useCall(
    '/map/selectMap',
    { userId: ownerUserId, building, floor, loaded: true },
    { enabled: building !== '' && floor !== '' },
  )
  const maps = useMemo(
    () => (data?.list ?? []).filter((map) => map.deviceId !== null && map.deviceId !== deviceId),
    [data, deviceId],
  )
  useShow({ robots: maps.flatMap((map) => map.deviceId ?? []) })
  useEffect(() => {
    if (!view) return
    const drawn = new Set<number>()
    const place = () => {
      for (const { deviceId: id, deviceCode, mapId } of maps) {
        const seen = live.robot(id ?? 0)
        if (id !== null && seen?.row.mapId === mapId) {
          drawn.add(id)
          view.setRobot({ ...seen.row, name: deviceCode ?? '', ageMs: ageOf(seen, Date.now()) })
        } else if (id !== null && drawn.delete(id)) view.removeRobot(id)
      }
    }
    place()
    const stop = live.listenTo(
      maps.flatMap((map) => map.deviceId ?? []),
      place,
    )
    return () => {
      stop()
      for (const id of drawn) view.removeRobot(id)
    }
  }, [view, maps])
  return useMemo(() => maps.map((map) => ({ deviceId: map.deviceId ?? 0, deviceCode: map.deviceCode ?? '' })), [maps])
}
