/** What the schedules of the robots that are shown start next, for the line that says what an idle one does. */
import { createContext, type ReactNode, useContext } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { toMs } from '@/widgets/time'

type NextRun = Answer<'/task/nextRuns'>['list'][number]

const MOST = 1000 // robots of one call
const REFRESH_MS = 60_000
const DAY_MS = 24 * 3600_000

const Runs = createContext<ReadonlyMap<number, NextRun>>(new Map())

export function NextRuns({ ids, children }: { ids: readonly number[]; children: ReactNode }) {
  const deviceIds = [...ids].sort((a, b) => a - b).slice(0, MOST)
  const runs = useCall('/task/nextRuns', { deviceIds }, { keep: true, goodMs: REFRESH_MS, enabled: ids.length > 0 })
  return <Runs value={new Map(runs.data?.list.map((run) => [run.deviceId, run]))}>{children}</Runs>
}

/** "Next 22:00 Lobby"; of another day with its name. Undefined: no schedule starts anything soon. */
export function useNextRun(): (deviceId: number) => string | undefined {
  const { t } = useTranslation('device')
  const { time, weekday, list } = useFormats()
  const runs = useContext(Runs)
  return (deviceId) => {
    const run = runs.get(deviceId)
    const start = run && toMs(run.start)
    if (!run || start == null) return undefined
    const near = start - Date.now() < DAY_MS
    const when = near ? time(start, run.zone) : `${weekday(start, run.zone)} ${time(start, run.zone)}`
    return t('next-run', { time: when, tasks: list([...new Set(run.tasks)]) })
  }
}
