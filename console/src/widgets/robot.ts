/** A robot of a list with its live part. Changes only when something that a list shows has changed, not with each pose. */
import { useMemo } from 'react'
import { ageOf, freshness } from '@/shared/live/age'
import type { LiveRow } from '@/shared/live/frames'
import { live, useLive } from '@/shared/live/live'
import type { LiveStore } from '@/shared/live/store'
import type { Answer } from '@/shared/rpc/contract'
import { toMs } from './time'

export type Listed = Answer<'/device/selectDevicePc'>['list'][number]
type Live = Omit<LiveRow, 'id' | 'at' | 'ageMs'>

export interface Robot extends Omit<Listed, keyof Live | 'heartbeatTime'>, Live {
  readonly heartbeatTime: number | null
  /** Older than its state allows: say the age beside it. */
  readonly stale: boolean
  readonly ageMs: number
}

/** What a card or a table row can tell apart; the age in steps of a second, and only when it matters. */
export function shownKey(store: Pick<LiveStore, 'robot' | 'connection'>, id: number, now: number): string {
  const seen = store.robot(id)
  if (!seen) return ''
  const { row } = seen
  const stale = freshness(seen, now, store.connection().offlineAfterMs) === 'stale'
  return [
    ...[row.mode, row.help, row.taskName, row.run, row.mapId, row.offlineSince, row.offlineReason, row.charging],
    ...[row.battery, row.progress * 100, row.cleaned, row.remainingS / 60].map(Math.round),
    Math.round(row.clockOff / 60_000),
    stale && Math.floor(ageOf(seen, now) / 1000),
  ].join('|')
}

/** The list's copy in the socket's spelling: times as ms. The one place where the two meet. */
export const asListed = (listed: Listed): Robot => ({
  ...listed,
  online: listed.online ? 1 : 0,
  offlineSince: toMs(listed.offlineSince),
  heartbeatTime: toMs(listed.heartbeatTime),
  offlineReason: listed.offlineReason as LiveRow['offlineReason'],
  stale: false,
  ageMs: 0,
})

export function useRobot(listed: Listed): Robot {
  const id = listed.deviceId
  // with the minute: what stands beside it tells for how long
  const key = useLive((store) => `${shownKey(store, id, Date.now())}@${Math.floor(Date.now() / 60_000)}`)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is shown of the live row
  return useMemo(() => {
    const seen = live.robot(id)
    if (!seen) return asListed(listed)
    const now = Date.now()
    const stale = freshness(seen, now, live.connection().offlineAfterMs) === 'stale'
    const { row } = seen
    const same = row.mode === listed.mode && row.help === listed.help // else the list's time is of another state
    const modeSince = same ? listed.modeSince : null
    return { ...asListed(listed), ...row, modeSince, stale, ageMs: ageOf(seen, now) }
  }, [listed, id, key])
}

/** What a robot may be able to do beside driving: its type says so, or the robot itself. */
export const ABILITIES = ['clean', 'scrub', 'carpet', 'disinfect', 'ride'] as const
type Ability = (typeof ABILITIES)[number]

/** The one question of what a robot can do: screens hide what it cannot. One that tells nothing is asked for all. */
export const can = ({ abilities }: { readonly abilities: readonly string[] }, ability: Ability): boolean =>
  abilities.length === 0 || abilities.includes(ability)
