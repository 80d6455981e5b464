/** A robot is leased. A lessee with an account owns it meanwhile, so it is asked what becomes of its things. */
import { DatePicker, Input, Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DevicePicker } from '@/widgets/device-picker'
import { Field, Problem } from '@/widgets/field'
import { OwnerTree } from '@/widgets/owner-tree'
import { type Things, ThingsChoice } from '@/widgets/things-choice'
import { useDeed } from '@/widgets/use-deed'
import styles from './records.module.css'

const DAY = 'YYYY-MM-DD'
const FIELDS = ['deviceId', 'lesseeUserId', 'customerName', 'startDate', 'endDate', 'remark']

export function LeaseDialog({ deviceId, onClose }: { deviceId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('records')
  const [robot, setRobot] = useState(deviceId)
  const [account, setAccount] = useState<number>()
  const [things, setThings] = useState<Things>('keep')
  const [told, setTold] = useState({ customerName: '', remark: '', startDate: dayjs().format(DAY) })
  const [end, setEnd] = useState<string>()
  const [asked, setAsked] = useState(false)
  const deed = useDeed('/hire/insertHire', t('record-lease'), FIELDS)
  const missing = {
    deviceId: robot === undefined,
    customerName: account === undefined && !told.customerName.trim(),
  }
  const fault = (name: keyof typeof missing) =>
    (asked && missing[name] && t('fault-required')) || deed.problemAt(name) || undefined
  const send = () => {
    setAsked(true)
    if (robot === undefined || missing.customerName) return
    const lessee = account === undefined ? {} : { lesseeUserId: account, things }
    deed.run({ deviceId: robot, ...told, ...lessee, ...(end && { endDate: end }) }, onClose)
  }
  const change = (part: Partial<typeof told>) => setTold({ ...told, ...part })
  return (
    <Modal
      open
      width={600}
      title={t('record-lease')}
      okText={t('add')}
      cancelText={t('back')}
      okButtonProps={{ loading: deed.busy, danger: account !== undefined && things === 'erase' }}
      onOk={send}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <Field label={t('robot')} fault={fault('deviceId')}>
          <DevicePicker value={robot} label={t('robot')} placeholder={t('choose-robot')} onChange={setRobot} />
        </Field>
        <Field label={t('lessee')} fault={fault('customerName')}>
          <Input
            value={told.customerName}
            maxLength={100}
            onChange={(event) => change({ customerName: event.target.value })}
          />
        </Field>
        <Field label={t('lease-from')} fault={deed.problemAt('startDate')}>
          <DatePicker
            value={dayjs(told.startDate)}
            maxDate={dayjs()}
            allowClear={false}
            onChange={(day) => change({ startDate: (day ?? dayjs()).format(DAY) })}
          />
        </Field>
        <Field label={t('lease-to')} fault={deed.problemAt('endDate')}>
          <DatePicker
            value={end ? dayjs(end) : null}
            minDate={dayjs()}
            placeholder={t('lease-open')}
            onChange={(day) => setEnd(day?.format(DAY))}
          />
        </Field>
        <div data-wide>
          <Field label={t('lessee-account')} hint={t('lessee-account-how')} fault={deed.problemAt('lesseeUserId')}>
            <OwnerTree
              wide
              value={account}
              onChange={setAccount}
              words={{ label: t('lessee-account'), every: t('no-account'), named: String }}
            />
          </Field>
        </div>
        <div data-wide>
          <Field label={t('remark')} fault={deed.problemAt('remark')}>
            <Input value={told.remark} maxLength={500} onChange={(event) => change({ remark: event.target.value })} />
          </Field>
        </div>
      </div>
      {account !== undefined && <ThingsChoice value={things} onChange={setThings} />}
      <Problem text={deed.problem} />
    </Modal>
  )
}
