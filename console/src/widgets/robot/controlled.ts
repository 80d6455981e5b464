/**
 * An action that wants control of the robot, such as loading another map: control is taken for it alone and given back.
 * Whoever has it already keeps it; while somebody else has it, nothing is done and the holder is named.
 */
import { forgetGrant } from '@/shared/relay/relay'
import { call } from '@/shared/rpc/call'

const MINUTES = 10

export async function controlled<T>(deviceId: number, run: () => Promise<T>): Promise<T> {
  const { mine: inControl } = await call('/device/control', { deviceId })
  if (inControl) return run()
  await call('/device/takeControl', { deviceId, minutes: MINUTES })
  forgetGrant(deviceId)
  try {
    return await run()
  } finally {
    await call('/device/releaseControl', { deviceId })
    forgetGrant(deviceId)
  }
}
