/**
 * Orders to robots from a list, one or many: pausing is done at once, going home ends what they do and is asked for first.
 * Who obeys is said in short; who does not, by name and with why.
 */
import { type ReactNode, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useSend } from '@/shared/rpc/hooks'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { type Ordered, OrderOutcome } from '@/widgets/robot/order-outcome'

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
    <>
      {paused && <Outcome ordered={paused} onClose={() => setPaused(undefined)} />}
      {leaving && <SendingHome ids={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
  // What fails is said by `useSend`.
  return [{ pause: (ids) => void pause(ids).catch(() => {}), sendHome: setLeaving }, dialogs]
}

function Outcome({ ordered, onClose }: { ordered: Ordered; onClose(): void }) {
  const { t } = useTranslation('device')
  return (
    <Modal
      open
      title={t('pause')}
      okText={t('close')}
      footer={(_, { OkBtn }) => <OkBtn />}
      onOk={onClose}
      onCancel={onClose}
    >
      <OrderOutcome done={t('paused-of', { obeyed: ordered.obeyed, all: ordered.list.length })} ordered={ordered} />
    </Modal>
  )
}

function SendingHome({ ids, onClose }: { ids: readonly number[]; onClose(): void }) {
  const { t } = useTranslation('device')
  const action = useAction('/device/sendHome', t('common:return-to-charge'))
  const [sent, setSent] = useState<Ordered>()
  return (
    <Modal
      open
      title={sent ? t('common:return-to-charge') : t('return-ask', { count: ids.length })}
      okText={sent ? t('close') : t('common:return-to-charge')}
      cancelText={t('cancel')}
      footer={(both, { OkBtn }) => (sent ? <OkBtn /> : both)}
      okButtonProps={{ loading: action.busy }}
      onOk={() => (sent ? onClose() : action.run({ deviceIds: [...ids] }, setSent))}
      onCancel={onClose}
    >
      {sent ? (
        <OrderOutcome done={t('robot:send-home-done', { obeyed: sent.obeyed, all: sent.list.length })} ordered={sent} />
      ) : (
        <p>{t('robot:send-home-how')}</p>
      )}
      <Problem text={action.problem} />
    </Modal>
  )
}
