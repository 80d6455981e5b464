/** Chooses the robot that is backed up now. */
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'

export function BeginDialog({ deviceId, onClose }: { deviceId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('backup')
  const [robot, setRobot] = useState(deviceId)
  const action = useAction('/device/backup', t('begin'), ['deviceId'])
  return (
    <Modal
      open
      title={t('begin')}
      okText={t('begin')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy, disabled: robot === undefined }}
      onOk={() => robot !== undefined && void action.run({ deviceId: robot }, onClose)}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('begin-how')}
      </Text>
      <Field label={t('common:robot')} fault={action.problemAt('deviceId')}>
        <DevicePicker
          value={robot}
          label={t('common:robot')}
          placeholder={t('choose-robot')}
          onChange={(id) => {
            setRobot(id)
            action.reset()
          }}
        />
      </Field>
      <Problem text={action.problem} />
    </Modal>
  )
}
