/**
 * What a robot answers through its relay while a part of the page shows it. A robot tells of itself what the live socket
 * brings; of all else it says nothing by itself, so it is asked again each `everyMs`. The server is never polled
 * (shared/live/stale).
 */
import { type Query, useQuery } from '@tanstack/react-query'

interface Reading<T> {
  /** What tells this answer from others of the robot: its command first. */
  key: readonly unknown[]
  read(signal: AbortSignal): Promise<T>
  /** How often it is asked again, ms; by the answer before, where that matters. */
  everyMs: number | ((query: Pick<Query<T>, 'state'>) => number | false)
  enabled?: boolean
  retry?: boolean | ((count: number, error: Error) => boolean)
}

export const useRobotAnswer = <T>(deviceId: number, { key, read, everyMs, ...rest }: Reading<T>) =>
  useQuery<T>({
    queryKey: ['relay', deviceId, ...key],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: everyMs,
    meta: { quiet: true },
    ...rest,
  })
