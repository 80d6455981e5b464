/** Who holds control of a robot: asked once, then pushed by the socket. */
import type { Control } from '@/shared/live/frames'
import { useControlLive } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/session/session'

/** The newer of the answer and the push; a lock whose time is over is free. */
export function holder(loaded: Control | undefined, pushed: Control | undefined, now: number): Control | undefined {
  const newest = pushed && (!loaded || pushed.number >= loaded.number) ? pushed : loaded
  return newest?.owner && newest.until > now ? newest : undefined
}

export function useHolder(deviceId: number, now: number) {
  const session = useSession()
  const loaded = useCall('/device/control', { deviceId })
  const pushed = useControlLive(deviceId)
  const held = holder(loaded.data, pushed, now)
  return {
    held,
    inControl: held !== undefined && held.ownerId === session?.userId,
    /** False until the server has said who holds it. */
    known: pushed !== undefined || !loaded.isPending,
  }
}
