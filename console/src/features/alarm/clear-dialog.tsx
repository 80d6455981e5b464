/** Deletes what is resolved of one robot, from before a day. */
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { DeleteBeforeDialog } from '@/widgets/form/delete-before-dialog'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Field } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'

interface Props {
  deviceId: number | undefined
  onClose(): void
}

export function ClearDialog({ deviceId, onClose }: Props) {
  const { t } = useTranslation('alarm')
  const [robot, setRobot] = useState(deviceId)
  const [day, setDay] = useState('')
  const action = useAction('/warn/deleteWarn', t('common:delete'), ['time', 'deviceId'])
  return (
    <DeleteBeforeDialog
      title={t('delete-before')}
      dayLabel={t('before-day')}
      day={day}
      onDay={setDay}
      note={t('delete-how')}
      ready={robot !== undefined && day !== ''}
      action={action}
      onDelete={() => robot && void action.run({ deviceId: robot, time: dayjs(day).toISOString() }, onClose)}
      onClose={onClose}
    >
      <Field label={t('common:robot')} fault={action.problemAt('deviceId')}>
        <DevicePicker value={robot} label={t('common:robot')} placeholder={t('choose-robot')} onChange={setRobot} />
      </Field>
    </DeleteBeforeDialog>
  )
}
