/** What the robot's sensors say of its tanks, and how long its answer takes from here: asked each few seconds. */
import type { Robot } from '@/shared/relay/contract'
import { relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'

const EVERY_MS = 5000

export type Sensor = Robot['schemas']['Sensor']

export const READINGS = 'sensor_info_web'

export async function readSensors(deviceId: number, signal: AbortSignal): Promise<readonly Sensor[]> {
  return (await relayCall(deviceId, READINGS, {}, signal)).list
}

export function useVitals(deviceId: number, online: boolean) {
  return useRobotAnswer(deviceId, {
    key: [READINGS, 'vitals'],
    read: async (signal) => {
      const from = performance.now()
      const list = await readSensors(deviceId, signal)
      return { linkMs: performance.now() - from, list }
    },
    enabled: online,
    everyMs: EVERY_MS,
    retry: false,
  })
}
