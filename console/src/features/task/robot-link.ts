/**
 * Tasks and schedules of one robot. The robot owns them, so it is asked while it answers; else the server's mirror is
 * shown, with its age and read-only. A change goes to the robot; the mirror is waited for, so that the calendar shows it.
 */

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Command, CommandAnswer } from '@/shared/relay/contract'
import { command, type Order } from '@/shared/relay/life'
import { RelayRefusal, relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'
import { call } from '@/shared/rpc/call'
import { notice } from '@/shared/ui/notice'
import { useAttempt } from '@/widgets/form/use-attempt'
import { toMs } from '@/widgets/time'

export type PlanKind = 'timetask' | 'elevator_timetask' | 'group'

const AGAIN_MS = 3000

export interface Read<T> {
  readonly rows: readonly T[] | undefined
  /** Where they come from; the mirror's newest change as ms. */
  readonly from: 'robot' | 'mirror'
  readonly asOf: number | undefined
  readonly error: Error | null
  readonly isPending: boolean
  refetch(): unknown
}

/** The robot's list by that command, and while it cannot be had the server's mirror of the same rows. */
export function useRobotList<C extends Command, T>(
  deviceId: number,
  online: boolean,
  name: C,
  listOf: (answer: CommandAnswer<C>) => readonly T[],
  mirror: readonly { content: unknown; updateTime: string }[] | undefined,
): Read<T> {
  const query = useRobotAnswer(deviceId, {
    key: [name],
    read: async (signal) => listOf(await relayCall(deviceId, name, undefined, signal)),
    enabled: online,
    retry: (count, error) => count < 1 && !(error instanceof RelayRefusal),
    everyMs: ({ state }) => (state.error ? AGAIN_MS : false), // else a list of before a change would stay
  })
  if (online && query.data) return { ...base(query), rows: query.data, from: 'robot', asOf: undefined, error: null }
  const rows = mirror?.map(({ content }) => content as T)
  const asOf = Math.max(0, ...(mirror ?? []).map(({ updateTime }) => toMs(updateTime) ?? 0)) || undefined
  return {
    ...base(query),
    isPending: !rows || (online && query.isPending),
    rows,
    from: 'mirror',
    asOf,
    error: query.error,
  }
}

const base = ({ isPending, refetch }: { isPending: boolean; refetch(): unknown }) => ({ isPending, refetch })

const MIRROR_MS = 8000
const LOOK_MS = 400

/** Resolves once the mirror has the plan as the robot answered; after a while in any case. */
async function mirrored(deviceId: number, kind: PlanKind, name: string, revision: number | undefined) {
  const until = Date.now() + MIRROR_MS
  while (Date.now() < until) {
    const plans = await call('/task/plans', { deviceId }).catch(() => undefined) // the order was carried out all the same
    const mirrored = plans?.list.find((plan) => plan.kind === kind && plan.name === name)
    if (plans && (revision === undefined ? !mirrored : (mirrored?.revision ?? -1) >= revision)) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

export interface Refused {
  readonly text: string
  readonly field: string
}

/** A plan that an order changes: its name afterwards, or that it is gone. */
export interface Plan {
  readonly kind: PlanKind
  readonly name: string
  readonly deleted?: boolean
}

/** Tells the robot something; a refusal stays here to be shown at its field. */
export function useTell(deviceId: number) {
  const queries = useQueryClient()
  const { busy, refused, reset, run } = useAttempt()
  const tell = <C extends Command>(order: Order<C>, plan?: Plan): Promise<CommandAnswer<C> | undefined> =>
    run(async () => {
      const answer = await command(deviceId, order)
      await queries.invalidateQueries({ queryKey: ['relay', deviceId] })
      if (plan)
        void mirrored(
          deviceId,
          plan.kind,
          plan.name,
          plan.deleted || !('revision' in answer) ? undefined : answer.revision,
        ).then(() => queries.invalidateQueries({ queryKey: ['task'] }))
      return answer
    })
  return {
    tell,
    busy,
    refused,
    forget: reset,
    at: (...fields: string[]) => (refused && fields.includes(refused.field) ? refused.text : undefined),
    /** What is not said at one of these fields. */
    besides: (...fields: string[]) => (refused && !fields.includes(refused.field) ? refused.text : undefined),
  }
}

/** Says a refusal once, over the page, where no field is shown that it belongs to; `failed` names what was refused. */
export function useRefusalNotice(refused: Refused | undefined, failed?: string) {
  const text = refused?.text
  useEffect(() => {
    if (text) notice('error', failed ? `${failed}: ${text}` : text)
  }, [text, failed])
}
