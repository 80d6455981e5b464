/** Tries each channel: a notification to oneself, or on the screen of a robot, and what came of it. */
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { Fact, Facts } from '@/shared/ui/facts'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { CHANNEL_NAMES, CHANNELS, type Channel } from './channels'

export function TestDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('alarm')
  return (
    <Modal open title={t('test-channels')} footer={null} onCancel={onClose}>
      <Text tone="quiet" below="m">
        {t('test-channels-how')}
      </Text>
      <Facts>
        {CHANNEL_NAMES.map((channel) => (
          <Fact key={channel} name={t(`common:${CHANNELS[channel]}`)}>
            <ChannelTest channel={channel} />
          </Fact>
        ))}
      </Facts>
    </Modal>
  )
}

function ChannelTest({ channel }: { channel: Channel }) {
  const { t } = useTranslation('alarm')
  const [robot, setRobot] = useState<number>()
  const [sent, setSent] = useState(false)
  const action = useAction('/wmWarnSet/test', t('send-test'))
  const onRobot = channel === 'terminal'
  const press = () => {
    setSent(false)
    action.run({ channel, deviceId: robot ?? null }, () => setSent(true))
  }
  return (
    <Row stack gap="xs">
      {onRobot && (
        <DevicePicker value={robot} label={t('common:robot')} placeholder={t('choose-robot')} onChange={setRobot} />
      )}
      <Row wrap gap="s" align="center">
        <Button
          size="small"
          loading={action.busy}
          disabled={onRobot && !robot}
          aria-label={`${t('send-test')}: ${t(`common:${CHANNELS[channel]}`)}`}
          onClick={press}
        >
          {t('send-test')}
        </Button>
        <span role="status">{sent && <Tag tone="cleaning">{t('notification-sent')}</Tag>}</span>
      </Row>
      <Problem text={action.problem} />
    </Row>
  )
}
