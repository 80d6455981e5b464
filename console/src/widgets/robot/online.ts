/** Whether a robot answers now, as the live picture tells it. */
import type { LiveRow } from '@/shared/live/frames'
import { useRobotPart, useShow } from '@/shared/live/live'

const isOnline = ({ mode }: LiveRow) => mode !== 'offline'

export function useOnline(deviceId: number | undefined): boolean {
  useShow({ robots: deviceId === undefined ? [] : [deviceId] })
  return useRobotPart(deviceId, isOnline) === true
}
