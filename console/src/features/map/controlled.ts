/**
 * A deed that wants control of the robot, such as loading another map: control is taken for it alone and given back.
 * Whoever has it already keeps it; while somebody else has it, nothing is done and the holder is named.
 */
import { forgetGrant } from '@/shared/relay/relay'
import { call } from '@/shared/rpc/call'

const MINUTES = 10

export async function controlled<T>(deviceId: number, deed: () => Promise<T>): Promise<T> {
  const { mine } = await call('/device/control', { deviceId })
  if (mine) return deed()
  await call('/device/takeControl', { deviceId, minutes: MINUTES })
  forgetGrant(deviceId)
  try {
    return await deed()
  } finally {
    await call('/device/releaseControl', { deviceId })
    forgetGrant(deviceId)
  }
}
