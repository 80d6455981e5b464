/** A robot of a list with its live part. Changes only when something that a list shows has changed, not with each pose. */
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { ageOf, freshness } from '@/shared/live/age'
import type { LiveRow } from '@/shared/live/frames'
import { live, useNow, useRobotPart } from '@/shared/live/live'
import { type SteadyRow, steady } from '@/shared/live/steady'
import { COMMANDS } from '@/shared/relay/commands'
import type { Command } from '@/shared/relay/contract'
import type { Answer } from '@/shared/rpc/contract'
import { toMs } from '../time'

export type Listed = Answer<'/device/selectDevicePc'>['list'][number]

const SECOND_MS = 1000
const MINUTE_MS = 60_000

export interface Robot extends Omit<Listed, keyof LiveRow | 'heartbeatTime'>, SteadyRow {
  readonly heartbeatTime: number | null
  /** Older than its state allows: say the age beside it. */
  readonly stale: boolean
  readonly ageMs: number
}

/** The list's copy in the socket's spelling: times as ms. The one place where the two meet. */
export const asListed = (listed: Listed): Robot => ({
  ...listed,
  online: listed.online ? 1 : 0,
  offlineSince: toMs(listed.offlineSince),
  heartbeatTime: toMs(listed.heartbeatTime),
  offlineReason: listed.offlineReason,
  stale: false,
  ageMs: 0,
})

/** How old its newest row is, in whole seconds of ms, once that matters; undefined while it is fresh or offline. */
function useStaleAge(id: number): number | undefined {
  const listen = useCallback(
    (listener: () => void) => {
      const [timer, stop] = [setInterval(listener, SECOND_MS), live.listenTo([id], listener)]
      return () => {
        clearInterval(timer)
        stop()
      }
    },
    [id],
  )
  return useSyncExternalStore(listen, () => {
    const [seen, now] = [live.robot(id), Date.now()]
    if (!seen || freshness(seen, now, live.connection().offlineAfterMs) !== 'stale') return undefined
    return Math.floor(ageOf(seen, now) / SECOND_MS) * SECOND_MS
  })
}

export function useRobot(listed: Listed): Robot {
  const row = useRobotPart(listed.deviceId, steady)
  const age = useStaleAge(listed.deviceId)
  const minute = Math.floor(useNow(MINUTE_MS) / MINUTE_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with the minute what stands beside it says for how long
  return useMemo(() => {
    if (!row) return asListed(listed)
    const same = row.mode === listed.mode && row.help === listed.help // else the list's time is of another state
    const modeSince = same ? listed.modeSince : null
    return { ...asListed(listed), ...row, modeSince, stale: age !== undefined, ageMs: age ?? 0 }
  }, [listed, row, age, minute])
}

/** What a robot may be able to do beside driving: its type says so, or the robot itself. */
export const ABILITIES = ['clean', 'scrub', 'carpet', 'disinfect', 'ride'] as const
type Ability = (typeof ABILITIES)[number]

/** The one question of what a robot can do: screens hide what it cannot. One that tells nothing is asked for all. */
export const can = ({ abilities }: { readonly abilities: readonly string[] }, ability: Ability): boolean =>
  abilities.length === 0 || abilities.includes(ability)

/** The commands of its local API that it has, as it says itself; null: all of its protocol. */
export interface Commanded {
  readonly protocolVersion: number
  readonly commands: readonly string[] | null
}

/** Whether it has a command: screens leave out what a robot does not have. */
export const has = ({ protocolVersion, commands }: Commanded, name: Command): boolean =>
  protocolVersion >= COMMANDS[name].since && (commands === null || commands.includes(name))
