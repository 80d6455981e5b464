/** Whether a robot answers now, as the live picture tells it. */
import type { LiveRow } from '@/shared/live/frames'
import { useRobotPart, useShow } from '@/shared/live/live'

const isOnline = ({ mode }: LiveRow) => mode !== 'offline'

const isPresent = () => true

/** Whether the live picture has said anything of the robot yet: before, nobody knows that it is offline. */
export const useKnown = (deviceId: number): boolean => useRobotPart(deviceId, isPresent) === true

export function useOnline(deviceId: number | undefined): boolean {
  useShow({ robots: deviceId === undefined ? [] : [deviceId] })
  return useRobotPart(deviceId, isOnline) === true
}
