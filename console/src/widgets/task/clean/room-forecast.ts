/** What each chosen room would cost, asked from the robot, and where in it the robot can begin. */
import { useQueries } from '@tanstack/react-query'
import type { Polygon } from '@/canvas/document/document'
import { plannedCall } from '@/shared/relay/planned'
import { RelayRefusal } from '@/shared/relay/relay'
import type { Forecast, Manner } from '@/widgets/task/robot-task'
import { type Corner, cornersOf, startsIn } from '@/widgets/task/rooms'

const UNREACHABLE = 'task_start_unreachable'

export interface RoomForecast {
  readonly start: Corner
  readonly forecast: Forecast
}

/** The first place of the room at which the robot can stand; what is wrong with the last one is thrown. */
async function planRoom(
  deviceId: number,
  mapName: string,
  room: Polygon,
  { route, task_mode, clean_mode, speed }: Manner,
  signal: AbortSignal,
): Promise<RoomForecast> {
  const how = { map_name: mapName, route, task_mode, clean_mode, speed, area: cornersOf(room.points) }
  let refusal: unknown
  for (const start of startsIn(room.points)) {
    try {
      return { start, forecast: await plannedCall(deviceId, 'clean_area_pre', { ...how, start }, signal) }
    } catch (why) {
      if (!(why instanceof RelayRefusal && why.reason === UNREACHABLE)) throw why
      refusal = why
    }
  }
  throw refusal
}

export function useRoomForecasts(deviceId: number, mapName: string, rooms: readonly Polygon[], manner: Manner) {
  return useQueries({
    queries: rooms.map((room) => ({
      queryKey: ['relay', deviceId, 'clean_area_pre', mapName, room.points, manner],
      queryFn: ({ signal }: { signal: AbortSignal }) => planRoom(deviceId, mapName, room, manner, signal),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      meta: { quiet: true },
    })),
  })
}
