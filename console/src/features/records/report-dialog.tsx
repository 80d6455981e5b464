/** Something is wrong with a robot. */

import { DatePicker, Input } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Columns } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'

const DAY = 'YYYY-MM-DD'

export function ReportDialog({ deviceId, onClose }: { deviceId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('records')
  const [robot, setRobot] = useState(deviceId)
  const [values, setValues] = useState({ type: '', detail: '', operator: '', date: dayjs().format(DAY) })
  const [submitted, setSubmitted] = useState(false)
  const action = useAction('/repair/insertRepair', t('report-repair'), [
    'deviceId',
    'type',
    'detail',
    'date',
    'operator',
  ])
  const missing = { deviceId: robot === undefined, type: !values.type.trim(), detail: !values.detail.trim() }
  const fault = (name: keyof typeof missing) =>
    (submitted && missing[name] && t('fault-required')) || action.problemAt(name) || undefined
  const send = () => {
    setSubmitted(true)
    if (robot !== undefined && !missing.type && !missing.detail) action.run({ deviceId: robot, ...values }, onClose)
  }
  const change = (part: Partial<typeof values>) => setValues({ ...values, ...part })
  return (
    <Modal
      open
      width={600}
      title={t('report-repair')}
      okText={t('add')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={send}
      onCancel={onClose}
    >
      <Columns gap="xl" lines="none">
        <Field label={t('robot')} fault={fault('deviceId')}>
          <DevicePicker value={robot} label={t('robot')} placeholder={t('choose-robot')} onChange={setRobot} />
        </Field>
        <Field label={t('reported-on')} fault={action.problemAt('date')}>
          <DatePicker
            value={dayjs(values.date)}
            maxDate={dayjs()}
            allowClear={false}
            onChange={(day) => change({ date: (day ?? dayjs()).format(DAY) })}
          />
        </Field>
        <Field label={t('repair-type')} fault={fault('type')}>
          <Input
            value={values.type}
            maxLength={LIMITS['/repair/insertRepair'].type.maxLength}
            onChange={(event) => change({ type: event.target.value })}
          />
        </Field>
        <Field label={t('reported-by')} fault={action.problemAt('operator')}>
          <Input
            value={values.operator}
            maxLength={LIMITS['/repair/insertRepair'].operator.maxLength}
            onChange={(event) => change({ operator: event.target.value })}
          />
        </Field>
        <div data-wide>
          <Field label={t('repair-detail')} fault={fault('detail')}>
            <Input.TextArea
              rows={3}
              value={values.detail}
              maxLength={LIMITS['/repair/insertRepair'].detail.maxLength}
              onChange={(event) => change({ detail: event.target.value })}
            />
          </Field>
        </div>
      </Columns>
      <Problem text={action.problem} />
    </Modal>
  )
}
