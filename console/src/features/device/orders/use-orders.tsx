/**
 * Orders to robots from a list, one or many: pausing is done at once, going home ends what they do and is asked for first.
 * Who obeys is said in short; who does not, by name and with why.
 */
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useSend } from '@/shared/rpc/hooks'
import { notice } from '@/shared/ui/notice'
import type { Ordered } from '@/widgets/robot/order-outcome'
import { withTexts } from '../actions'

const PauseOutcome = withTexts()(async () => (await import('./order-dialogs')).PauseOutcome)
const SendHomeDialog = withTexts()(async () => (await import('./order-dialogs')).SendHomeDialog)

export interface Orders {
  pause(ids: readonly number[]): void
  sendHome(ids: readonly number[]): void
}

export function useOrders(): readonly [Orders, ReactNode] {
  const { t } = useTranslation('device')
  const pausing = useSend('/device/pauseDevices', { action: t('pause') })
  const [paused, setPaused] = useState<Ordered>()
  const [leaving, setLeaving] = useState<readonly number[]>()
  const pause = async (ids: readonly number[]) => {
    const answer = await pausing.mutateAsync({ deviceIds: [...ids] })
    if (answer.obeyed === answer.list.length) notice('success', t('robots-paused', { count: answer.obeyed }))
    else setPaused(answer)
  }
  const dialogs = (
    <Suspense>
      {paused && <PauseOutcome ordered={paused} onClose={() => setPaused(undefined)} />}
      {leaving && <SendHomeDialog ids={leaving} onClose={() => setLeaving(undefined)} />}
    </Suspense>
  )
  // What fails is said by `useSend`.
  return [{ pause: (ids) => void pause(ids).catch(() => {}), sendHome: setLeaving }, dialogs]
}
