/** Restarts the robot's computer: it is away for a while, and what runs is reported as interrupted. */

import { Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { useOrder } from './use-order'

export function RebootDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('control')
  const order = useOrder()
  const [voice, setVoice] = useState(false)
  const [outage, setOutage] = useState(true)
  const reboot = async () => {
    const payload = { voice: voice ? 1 : 0, outage_reboot: outage ? 1 : 0 }
    const sent = await order.send({
      command: 'robot_reboot',
      payload,
      label: t('reboot-robot'),
      confirms: (row) => row.mode === 'offline',
    })
    if (sent) onClose()
  }
  return (
    <Modal
      open
      title={t('reboot-robot')}
      okText={t('reboot-robot')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: order.busy, danger: true }}
      onOk={reboot}
      onCancel={onClose}
    >
      <Text size="small" tone="soft">
        {t('reboot-how')}
      </Text>
      <Row as="label" gap="l" align="center" justify="between" above="s" below="s">
        <span>{t('reboot-voice')}</span>
        <Switch checked={voice} onChange={setVoice} />
      </Row>
      <Row as="label" gap="l" align="center" justify="between" above="s" below="s">
        <span>{t('reboot-outage')}</span>
        <Switch checked={outage} onChange={setOutage} />
      </Row>
      <Problem text={order.problem} />
    </Modal>
  )
}
