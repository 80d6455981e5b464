/** What the robot's sensors say of its tanks, and how long its answer takes from here: asked each few seconds. */
import { useQuery } from '@tanstack/react-query'
import type { Robot } from '@/shared/relay/contract'
import { relayCall } from '@/shared/relay/relay'

const EVERY_MS = 5000

export type Sensor = Robot['schemas']['Sensor']

export const sensorsKey = (deviceId: number) => ['relay', deviceId, 'sensor_info_web'] as const

export async function readSensors(deviceId: number, signal: AbortSignal): Promise<readonly Sensor[]> {
  return (await relayCall(deviceId, 'sensor_info_web', {}, signal)).list
}

export function useVitals(deviceId: number, online: boolean) {
  return useQuery({
    queryKey: [...sensorsKey(deviceId), 'vitals'],
    queryFn: async ({ signal }) => {
      const from = performance.now()
      const list = await readSensors(deviceId, signal)
      return { linkMs: performance.now() - from, list }
    },
    enabled: online,
    refetchInterval: EVERY_MS,
    retry: false,
    meta: { quiet: true },
  })
}
