/** Deletes what is resolved of one robot, from before a day. */
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'

interface Props {
  deviceId: number | undefined
  onClose(): void
}

export function ClearDialog({ deviceId, onClose }: Props) {
  const { t } = useTranslation('alarm')
  const [robot, setRobot] = useState(deviceId)
  const [day, setDay] = useState<string>()
  const action = useAction('/warn/deleteWarn', t('common:delete'), ['time', 'deviceId'])
  return (
    <Modal
      open
      title={t('delete-before')}
      okText={t('common:delete')}
      cancelText={t('common:cancel')}
      okButtonProps={{ danger: true, loading: action.busy, disabled: !robot || !day }}
      onOk={() => robot && day && action.run({ deviceId: robot, time: dayjs(day).toISOString() }, onClose)}
      onCancel={onClose}
    >
      <Field label={t('common:robot')} fault={action.problemAt('deviceId')}>
        <DevicePicker value={robot} label={t('common:robot')} placeholder={t('choose-robot')} onChange={setRobot} />
      </Field>
      <Field label={t('before-day')} fault={action.problemAt('time')}>
        <DatePicker
          value={day ? dayjs(day) : null}
          maxDate={dayjs().add(1, 'day')}
          onChange={(chosen) => setDay(chosen?.format('YYYY-MM-DD'))}
        />
      </Field>
      <Text tone="quiet" below="m">
        {t('delete-how')}
      </Text>
      <Problem text={action.problem} />
    </Modal>
  )
}
