/** A robot of a list with its live part. Changes only when something that a list shows has changed, not with each pose. */
import { useMemo } from 'react'
import { ageOf, freshness } from '@/shared/live/age'
import type { LiveRow } from '@/shared/live/frames'
import { live, useLive } from '@/shared/live/live'
import type { LiveStore } from '@/shared/live/store'

type Listed = Omit<LiveRow, 'id' | 'at' | 'ageMs'> & { readonly deviceId: number }

export interface Freshness {
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
    stale && Math.floor(ageOf(seen, now) / 1000),
  ].join('|')
}

export function useRobot<R extends Listed>(listed: R): R & Freshness {
  const id = listed.deviceId
  const key = useLive((store) => shownKey(store, id, Date.now()))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is shown of the live row
  return useMemo(() => {
    const seen = live.robot(id)
    if (!seen) return { ...listed, stale: false, ageMs: 0 }
    const now = Date.now()
    const stale = freshness(seen, now, live.connection().offlineAfterMs) === 'stale'
    return { ...listed, ...seen.row, stale, ageMs: ageOf(seen, now) }
  }, [listed, id, key])
}
