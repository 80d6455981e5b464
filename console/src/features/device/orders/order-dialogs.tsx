/** Who of many obeyed an order, and whether those that work shall go home. */
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { type Ordered, OrderOutcome } from '@/widgets/robot/order-outcome'

export function PauseOutcome({ ordered, onClose }: { ordered: Ordered; onClose(): void }) {
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

export function SendHomeDialog({ ids, onClose }: { ids: readonly number[]; onClose(): void }) {
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
