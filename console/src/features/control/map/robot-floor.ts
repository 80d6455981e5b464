/** The loaded floor of a robot with its marks, from the mirror of what the robot keeps; asked again when the robot has a newer one. */
import { useEffect } from 'react'
import { live } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { type Floor, useDocument } from '@/widgets/map/floor'
import type { Level } from './other-robots'

export function useRobotFloor(deviceId: number, mapId: number | null, revision: number): Floor & Level {
  const { data, isError, isSuccess, refetch } = useCall('/map/selectMap', { deviceId })
  const row = data?.list.find((map) => map.mapId === mapId)
  const old = isSuccess && mapId !== null && (row?.revision ?? -1) < revision
  useEffect(() => {
    if (old) void refetch()
  }, [old, refetch])
  useEffect(
    () => live.subscribe(deviceId, 'support', (open) => void (open === row?.closed && refetch())),
    [deviceId, row?.closed, refetch],
  )
  const floor = useDocument(row, mapId === null || isError || (isSuccess && !row && !old))
  return { ...floor, building: row?.building ?? '', floor: row?.floor ?? '' }
}
