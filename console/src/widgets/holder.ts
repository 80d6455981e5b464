/** Who holds control of a robot: asked once, then told by the socket. */
import type { Control } from '@/shared/live/frames'
import { useControlLive } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/rpc/session'

/** The newer of what was asked and what was told; a lock whose time is over is free. */
export function holder(asked: Control | undefined, told: Control | undefined, now: number): Control | undefined {
  const newest = told && (!asked || told.number >= asked.number) ? told : asked
  return newest?.owner && newest.until > now ? newest : undefined
}

export function useHolder(deviceId: number, now: number) {
  const session = useSession()
  const asked = useCall('/device/control', { deviceId })
  const told = useControlLive(deviceId)
  const held = holder(asked.data as Control | undefined, told, now)
  return {
    held,
    mine: held !== undefined && held.ownerId === session?.userId,
    /** False until the server has said who holds it. */
    known: told !== undefined || !asked.isPending,
  }
}
