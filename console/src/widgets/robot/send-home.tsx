/** Sends all robots of a building to their chargers now: asks first, then says how many obeyed, and who did not and why. */

import { IconHomeMove } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '../form/field'
import { useAction } from '../form/use-action'
import { LineAction } from '../list/line-action'
import { type Ordered, OrderOutcome } from './order-outcome'

interface Props {
  building: string
  /** At the end of a line: a mark alone. */
  inLine?: boolean
}

/** Nothing for who may not drive. */
export function SendHome({ building, inLine = false }: Props) {
  const { t } = useTranslation('robot')
  const [open, setOpen] = useState(false)
  if (!useMay('device_control/index/drive')) return null
  return (
    <>
      {inLine ? (
        <LineAction icon={IconHomeMove} label={t('send-home')} name={building} onClick={() => setOpen(true)} />
      ) : (
        <Button icon={<IconHomeMove size={16} stroke={1.75} />} onClick={() => setOpen(true)}>
          {t('send-home')}
        </Button>
      )}
      {open && <Asking building={building} onClose={() => setOpen(false)} />}
    </>
  )
}

function Asking({ building, onClose }: { building: string; onClose(): void }) {
  const { t } = useTranslation('robot')
  const action = useAction('/device/sendHome', t('send-home'))
  const [sent, setSent] = useState<Ordered>()
  return (
    <Modal
      open
      title={sent ? `${t('send-home')} · ${building}` : t('send-home-ask', { building })}
      okText={sent ? t('close') : t('send-home')}
      cancelText={t('cancel')}
      footer={(both, { OkBtn }) => (sent ? <OkBtn /> : both)}
      okButtonProps={{ loading: action.busy }}
      onOk={() => (sent ? onClose() : action.run({ building }, setSent))}
      onCancel={onClose}
    >
      {sent ? (
        <OrderOutcome done={t('send-home-done', { obeyed: sent.obeyed, all: sent.list.length })} ordered={sent} />
      ) : (
        <p>{t('send-home-how')}</p>
      )}
      <Problem text={action.problem} />
    </Modal>
  )
}
