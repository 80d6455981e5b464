/** The open alarms in scope; what is new among them is shown, with its sound, once. A tab that nobody looks at hears them too. */
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { live } from '@/shared/live/live'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { notice } from '@/shared/ui/notice'
import { hears, useAlarmChoice } from './alarm-choice'
import { playAlarm } from './alarm-sound'

type Open = Answer<'/warn/listUnProcess'>

export const LIVE_ALARMS = '/index/realWarn'

export function useNewAlarms(enabled: boolean): number {
  const { t } = useTranslation('common')
  const go = useNavigate()
  const open = useCall('/warn/listUnProcess', {}, { enabled })
  const newest = useRef<number>(undefined)
  const { data, refetch } = open
  useEffect(
    () =>
      live.listenToStale((topics) => {
        if (enabled && document.hidden && (!topics || topics.includes('warn'))) void refetch()
      }),
    [enabled, refetch],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is looked at once
  useEffect(() => {
    if (!data) return
    const before = newest.current
    newest.current = Math.max(before ?? 0, data.newest)
    const choice = useAlarmChoice.getState()
    if (before === undefined || data.newest <= before || !choice.visible) return
    notice('error', sayNew(data, before), { label: t('live-alarms'), run: () => void go(LIVE_ALARMS) })
    if (hears(choice)) playAlarm()
  }, [data])
  return data?.count ?? 0

  function sayNew({ list }: Open, before: number): string {
    const fresh = list.filter(({ warnId }) => warnId > before)
    const [first] = fresh
    return first && fresh.length === 1
      ? `${first.content} · ${first.deviceCode}`
      : t('count-alarms', { count: Math.max(fresh.length, 1) })
  }
}
