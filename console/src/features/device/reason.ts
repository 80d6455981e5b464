/** What a list says of a robot in one line: why it stands, since when it is silent, or what it works on. */

import { useFormats } from '@/shared/i18n/format'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { useCause } from '@/widgets/alarm/cause'
import { useClockWrong } from '@/widgets/robot/clock-wrong'
import { useInElevator } from '@/widgets/robot/in-elevator'
import type { Robot } from '@/widgets/robot/robot'
import { useNextRun } from './next-runs'

const STANDING: ReadonlySet<string> = new Set(['help', 'emergency', 'paused'])
const SINCE: Readonly<Record<string, TextKey<'device'>>> = {
  switched_off: 'switched-off-since',
  restarting: 'restarting-since',
}
const DAY_MS = 24 * 3600_000

/** Times of today as a clock, older ones with their date. */
export function useWhen() {
  const { time, dateTime } = useFormats()
  return (ms: number) => (Date.now() - ms < DAY_MS ? time(ms) : dateTime(ms))
}

export function useReason() {
  const { t } = useTranslation('device')
  const { span } = useFormats()
  const cause = useCause()
  const when = useWhen()
  const inElevator = useInElevator()
  const nextRun = useNextRun()
  const clockWrong = useClockWrong()
  const standing = (row: Robot): string => {
    const { offlineSince, modeSince } = row
    if (row.mode === 'offline') {
      if (row.offlineReason === 'never_connected' || offlineSince === null) return t('never-connected')
      return t(SINCE[row.offlineReason ?? ''] ?? 'no-heartbeat-since', { time: when(offlineSince) })
    }
    if (!STANDING.has(row.mode)) return inElevator(row) ?? (row.taskName || nextRun(row.deviceId) || t('no-task'))
    return modeSince === null ? cause(row) : t('cause-since', { cause: cause(row), age: span(Date.now() - modeSince) })
  }
  return (row: Robot): string => [clockWrong(row), standing(row)].filter(Boolean).join(' · ')
}
