/** The other robots that are on the same floor now: they stand on its map as well. */
import { useEffect, useMemo } from 'react'
import type { MapView } from '@/canvas/view'
import { ageOf } from '@/shared/live/age'
import type { LiveRow } from '@/shared/live/frames'
import { live, useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'

const MOST = 200 // robots of one owner among which those of the floor are found
const EVERY_MS = 60_000 // robots change floors seldom

interface Place {
  readonly deviceId: number
  readonly ownerUserId: number
  readonly address: string
  readonly address1: string
}

export function useOthers(
  { deviceId, ownerUserId, address, address1 }: Place,
  row: LiveRow,
  view: MapView | undefined,
) {
  const { data } = useCall(
    '/device/selectDevicePc',
    { isPc: '1', userId: ownerUserId, currentPage: 1, pageSize: MOST },
    { refetchInterval: EVERY_MS, enabled: row.mapName !== '' },
  )
  const names = useMemo(
    () =>
      new Map(
        (data?.list ?? [])
          .filter((one) => one.deviceId !== deviceId && one.address === address && one.address1 === address1)
          .map((one) => [one.deviceId, one.deviceCode] as const),
      ),
    [data, deviceId, address, address1],
  )
  useShow({ robots: [...names.keys()] })
  useEffect(() => {
    if (!view) return
    const shown = new Set<number>()
    const place = () => {
      for (const [id, name] of names) {
        const seen = live.robot(id)
        if (seen && seen.row.mapName === row.mapName) {
          shown.add(id)
          view.setRobot({ ...seen.row, name, ageMs: ageOf(seen, Date.now()) })
        } else if (shown.delete(id)) view.removeRobot(id)
      }
    }
    place()
    const stop = live.listen(place)
    return () => {
      stop()
      for (const id of shown) view.removeRobot(id)
    }
  }, [view, names, row.mapName])
}
