/** A robot is leased. A lessee with an account owns it meanwhile, so it is asked what becomes of its things. */
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { type Belongings, BelongingsChoice } from '@/widgets/form/belongings-choice'
import { limitsOf, type Rule, type Value, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { required } from '@/widgets/form/rules'
import { today } from '@/widgets/form/time/day-input'
import { useAction } from '@/widgets/form/use-action'

const INSERT = '/hire/insertHire'
const lessee: Rule<'required-field'> = (value, all) => (all.lesseeUserId === null ? required(value, all) : undefined)
const FIELDS = [
  { name: 'deviceId', label: 'common:robot', kind: 'robot', placeholder: 'records:choose-robot', rule: required },
  { name: 'customerName', label: 'records:lessee', rule: lessee },
  { name: 'startDate', label: 'records:lease-from', kind: 'day', until: 'now' },
  {
    name: 'endDate',
    label: 'records:lease-to',
    kind: 'day',
    from: 'now',
    placeholder: 'records:lease-open',
    clearable: true,
  },
  { name: 'lesseeUserId', label: 'records:lessee-account', hint: 'records:lessee-account-how', wide: true },
  { name: 'remark', label: 'records:remark', wide: true },
] as const
const NAMES = FIELDS.map(({ name }) => name)

export function LeaseDialog({ deviceId, onClose }: { deviceId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('records')
  const [belongings, setBelongings] = useState<Belongings>('keep')
  const action = useAction(INSERT, t('record-lease'), NAMES)
  const owned = ({ lesseeUserId }: Values) => lesseeUserId !== null
  const send = ({ deviceId, lesseeUserId, customerName, startDate, endDate, remark }: Values) =>
    void action.run(
      {
        ...{ deviceId: Number(deviceId), customerName: String(customerName), remark: String(remark) },
        startDate: String(startDate),
        ...(lesseeUserId !== null && { lesseeUserId: Number(lesseeUserId), things: belongings }),
        ...(endDate !== null && { endDate: String(endDate) }),
      },
      onClose,
    )
  const account = (value: Value, change: (value: Value) => void) => (
    <OwnerTree
      wide
      value={value === null ? undefined : Number(value)}
      onChange={(chosen) => change(chosen ?? null)}
      words={{ label: t('lessee-account'), every: t('no-account'), named: String }}
    />
  )
  return (
    <FormDialog
      texts="records"
      title={t('record-lease')}
      fields={FIELDS}
      limits={limitsOf(INSERT)}
      options={{}}
      controls={{ lesseeUserId: account }}
      row={undefined}
      start={{
        ...{ deviceId: deviceId ?? null, customerName: '', remark: '', lesseeUserId: null },
        ...{ startDate: today(), endDate: null },
      }}
      draft={`${INSERT} ${deviceId ?? ''}`}
      action={action}
      danger={(values) => owned(values) && belongings === 'erase'}
      foot={(values) => owned(values) && <BelongingsChoice value={belongings} onChange={setBelongings} />}
      onSend={send}
      onClose={onClose}
    />
  )
}
