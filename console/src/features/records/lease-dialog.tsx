/** A robot is leased. A lessee with an account owns it meanwhile, so it is asked what becomes of its things. */

import { DatePicker, Input } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Columns } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { type Belongings, BelongingsChoice } from '@/widgets/form/belongings-choice'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Field, Problem } from '@/widgets/form/field'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { useAction } from '@/widgets/form/use-action'

const DAY = 'YYYY-MM-DD'
const FIELDS = ['deviceId', 'lesseeUserId', 'customerName', 'startDate', 'endDate', 'remark']

export function LeaseDialog({ deviceId, onClose }: { deviceId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('records')
  const [robot, setRobot] = useState(deviceId)
  const [account, setAccount] = useState<number>()
  const [belongings, setBelongings] = useState<Belongings>('keep')
  const [values, setValues] = useState({ customerName: '', remark: '', startDate: dayjs().format(DAY) })
  const [end, setEnd] = useState<string>()
  const [submitted, setSubmitted] = useState(false)
  const action = useAction('/hire/insertHire', t('record-lease'), FIELDS)
  const missing = {
    deviceId: robot === undefined,
    customerName: account === undefined && !values.customerName.trim(),
  }
  const fault = (name: keyof typeof missing) =>
    (submitted && missing[name] && t('fault-required')) || action.problemAt(name) || undefined
  const send = () => {
    setSubmitted(true)
    if (robot === undefined || missing.customerName) return
    const lessee = account === undefined ? {} : { lesseeUserId: account, things: belongings }
    action.run({ deviceId: robot, ...values, ...lessee, ...(end && { endDate: end }) }, onClose)
  }
  const change = (part: Partial<typeof values>) => setValues({ ...values, ...part })
  return (
    <Modal
      open
      width={600}
      title={t('record-lease')}
      okText={t('add')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, danger: account !== undefined && belongings === 'erase' }}
      onOk={send}
      onCancel={onClose}
    >
      <Columns gap="xl" lines="none">
        <Field label={t('robot')} fault={fault('deviceId')}>
          <DevicePicker value={robot} label={t('robot')} placeholder={t('choose-robot')} onChange={setRobot} />
        </Field>
        <Field label={t('lessee')} fault={fault('customerName')}>
          <Input
            value={values.customerName}
            maxLength={LIMITS['/hire/insertHire'].customerName.maxLength}
            onChange={(event) => change({ customerName: event.target.value })}
          />
        </Field>
        <Field label={t('lease-from')} fault={action.problemAt('startDate')}>
          <DatePicker
            value={dayjs(values.startDate)}
            maxDate={dayjs()}
            allowClear={false}
            onChange={(day) => change({ startDate: (day ?? dayjs()).format(DAY) })}
          />
        </Field>
        <Field label={t('lease-to')} fault={action.problemAt('endDate')}>
          <DatePicker
            value={end ? dayjs(end) : null}
            minDate={dayjs()}
            placeholder={t('lease-open')}
            onChange={(day) => setEnd(day?.format(DAY))}
          />
        </Field>
        <div data-wide>
          <Field label={t('lessee-account')} hint={t('lessee-account-how')} fault={action.problemAt('lesseeUserId')}>
            <OwnerTree
              wide
              value={account}
              onChange={setAccount}
              words={{ label: t('lessee-account'), every: t('no-account'), named: String }}
            />
          </Field>
        </div>
        <div data-wide>
          <Field label={t('remark')} fault={action.problemAt('remark')}>
            <Input
              value={values.remark}
              maxLength={LIMITS['/hire/insertHire'].remark.maxLength}
              onChange={(event) => change({ remark: event.target.value })}
            />
          </Field>
        </div>
      </Columns>
      {account !== undefined && <BelongingsChoice value={belongings} onChange={setBelongings} />}
      <Problem text={action.problem} />
    </Modal>
  )
}
