/** Who holds control of a robot: asked once, then told by the socket. Taking and releasing renew the relay's grant. */
import { useQueryClient } from '@tanstack/react-query'
import { useControlLive } from '@/shared/live/live'
import { forgetGrant } from '@/shared/relay/relay'
import { useCall, useSend } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/rpc/session'

/** Minutes that one taking of control lasts. */
export const CONTROL_MINUTES = 30

export interface Lock {
  /** False until the server has said who holds it. */
  readonly known: boolean
  /** Nobody holds it: ''. */
  readonly owner: string
  readonly mine: boolean
  readonly until: number
  readonly busy: boolean
  take(): void
  release(): void
}

interface Told {
  readonly owner: string
  readonly ownerId: number | null
  readonly until: number
  readonly number: number
}

/** The newer of what was asked and what was told; a lock whose time is over is free. */
export function holder(asked: Told | undefined, told: Told | undefined, now: number): Told | undefined {
  const newest = told && (!asked || told.number >= asked.number) ? told : asked
  return newest?.owner && newest.until > now ? newest : undefined
}

export function useLock(deviceId: number, now: number): Lock {
  const session = useSession()
  const queries = useQueryClient()
  const asked = useCall('/device/control', { deviceId })
  const told = useControlLive(deviceId)
  const held = holder(asked.data as Told | undefined, told, now)
  const done = {
    onSuccess: () => {
      forgetGrant(deviceId)
      void queries.invalidateQueries({ queryKey: ['device', '/device/control'] })
    },
  }
  const taking = useSend('/device/takeControl')
  const releasing = useSend('/device/releaseControl')
  return {
    known: told !== undefined || !asked.isPending,
    owner: held?.owner ?? '',
    mine: held !== undefined && held.ownerId === session?.userId,
    until: held?.until ?? 0,
    busy: taking.isPending || releasing.isPending,
    take: () => taking.mutate({ deviceId, minutes: CONTROL_MINUTES }, done),
    release: () => releasing.mutate({ deviceId }, done),
  }
}
