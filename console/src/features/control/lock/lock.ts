/** Control of a robot: who holds it, and how it is taken. Taking and releasing renew the relay's grant. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Control } from '@/shared/live/frames'
import { forgetGrant } from '@/shared/relay/relay'
import { useSend } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/session/session'
import { notice } from '@/shared/ui/notice'
import { useHolder } from '@/widgets/robot/holder'

/** Minutes that one taking of control lasts; 0: until it is released. */
export const DURATIONS = [10, 30, 60, 120, 0] as const
export type Minutes = (typeof DURATIONS)[number]

const MINUTE_MS = 60_000
const LONG_TERM_MS = 24 * 60 * MINUTE_MS // no duration is so long but the endless one

export interface Lock {
  /** False until the server has said who holds it. */
  readonly known: boolean
  /** Nobody holds it: ''. */
  readonly owner: string
  readonly inControl: boolean
  readonly until: number
  /** Why the holder took it from another. */
  readonly reason: string
  /** Who asked the holder for it last. */
  readonly asker: string
  /** It was the reader who asked last. */
  readonly ownRequest: boolean
  readonly requestedAt: number
  readonly busy: boolean
  take(minutes: Minutes): void
  /** For a deed that wants control, where nobody has it; false: it was not given. */
  takeFor(minutes: Minutes): Promise<boolean>
  release(): void
  ask(): void
  /** To who asked last. */
  handOver(): void
}

/** What is left of the shortest duration that it can have been taken for: 1 is all of it; nothing for the long term. */
export function share(restMs: number): number | undefined {
  if (restMs > LONG_TERM_MS) return undefined
  const whole = DURATIONS.find((minutes) => minutes * MINUTE_MS >= restMs) || 120
  return Math.max(0, restMs / (whole * MINUTE_MS))
}

/** Says it once when another takes what was ours. */
function useLoss(held: Control | undefined, inControl: boolean) {
  const { t } = useTranslation('control')
  const had = useRef(false)
  useEffect(() => {
    if (had.current && held && !inControl)
      notice('info', t(held.reason ? 'control-lost-why' : 'control-lost', { name: held.owner, reason: held.reason }))
    had.current = inControl
  }, [held, inControl, t])
}

export function useLock(deviceId: number, now: number): Lock {
  const queries = useQueryClient()
  const { held, inControl, known } = useHolder(deviceId, now)
  useLoss(held, inControl)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a grant carries the lock's number, whichever came first
  useEffect(() => forgetGrant(deviceId), [deviceId, held?.number, inControl])
  const done = { onSuccess: () => void queries.invalidateQueries({ queryKey: ['device', '/device/control'] }) }
  const taking = useSend('/device/takeControl')
  const releasing = useSend('/device/releaseControl')
  const asking = useSend('/device/askControl')
  const handing = useSend('/device/handOverControl')
  const session = useSession()
  return {
    known,
    owner: held?.owner ?? '',
    inControl,
    until: held?.until ?? 0,
    reason: held?.reason ?? '',
    asker: held?.asker ?? '',
    ownRequest: held !== undefined && held.askerId !== 0 && held.askerId === session?.userId,
    requestedAt: held?.askedAt ?? 0,
    busy: taking.isPending || releasing.isPending || asking.isPending || handing.isPending,
    take: (minutes) => taking.mutate({ deviceId, minutes }, done),
    takeFor: (minutes) =>
      taking.mutateAsync({ deviceId, minutes }, done).then(
        () => {
          forgetGrant(deviceId)
          return true
        },
        () => false, // said by the query client
      ),
    release: () => releasing.mutate({ deviceId }, done),
    handOver: () => handing.mutate({ deviceId }, done),
    ask: () => asking.mutate({ deviceId }, done),
  }
}
