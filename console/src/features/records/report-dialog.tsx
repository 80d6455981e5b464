/** Something is wrong with a robot. */
import { DatePicker, Input, Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DevicePicker } from '@/widgets/device-picker'
import { Field, Problem } from '@/widgets/field'
import { useDeed } from '@/widgets/use-deed'
import styles from './records.module.css'

const DAY = 'YYYY-MM-DD'

export function ReportDialog({ deviceId, onClose }: { deviceId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('records')
  const [robot, setRobot] = useState(deviceId)
  const [told, setTold] = useState({ type: '', detail: '', operator: '', date: dayjs().format(DAY) })
  const [asked, setAsked] = useState(false)
  const deed = useDeed('/repair/insertRepair', t('report-repair'), ['deviceId', 'type', 'detail', 'date', 'operator'])
  const missing = { deviceId: robot === undefined, type: !told.type.trim(), detail: !told.detail.trim() }
  const fault = (name: keyof typeof missing) =>
    (asked && missing[name] && t('fault-required')) || deed.problemAt(name) || undefined
  const send = () => {
    setAsked(true)
    if (robot !== undefined && !missing.type && !missing.detail) deed.run({ deviceId: robot, ...told }, onClose)
  }
  const change = (part: Partial<typeof told>) => setTold({ ...told, ...part })
  return (
    <Modal
      open
      width={600}
      title={t('report-repair')}
      okText={t('add')}
      cancelText={t('back')}
      okButtonProps={{ loading: deed.busy }}
      onOk={send}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <Field label={t('robot')} fault={fault('deviceId')}>
          <DevicePicker value={robot} label={t('robot')} placeholder={t('choose-robot')} onChange={setRobot} />
        </Field>
        <Field label={t('reported-on')} fault={deed.problemAt('date')}>
          <DatePicker
            value={dayjs(told.date)}
            maxDate={dayjs()}
            allowClear={false}
            onChange={(day) => change({ date: (day ?? dayjs()).format(DAY) })}
          />
        </Field>
        <Field label={t('repair-type')} fault={fault('type')}>
          <Input value={told.type} maxLength={100} onChange={(event) => change({ type: event.target.value })} />
        </Field>
        <Field label={t('reported-by')} fault={deed.problemAt('operator')}>
          <Input value={told.operator} maxLength={100} onChange={(event) => change({ operator: event.target.value })} />
        </Field>
        <div data-wide>
          <Field label={t('repair-detail')} fault={fault('detail')}>
            <Input.TextArea
              rows={3}
              value={told.detail}
              maxLength={2000}
              onChange={(event) => change({ detail: event.target.value })}
            />
          </Field>
        </div>
      </div>
      <Problem text={deed.problem} />
    </Modal>
  )
}
