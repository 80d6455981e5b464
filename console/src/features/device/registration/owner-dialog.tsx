/** Whose a robot is, whom it works for and which elevator it rides; a new owner asks what becomes of its things. */
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { type Belongings, BelongingsChoice } from '@/widgets/form/belongings-choice'
import { type FormRow, limitsOf, type Option, type Value, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { type Account, OwnerTree } from '@/widgets/form/owner-tree'
import { useAction } from '@/widgets/form/use-action'
import type { DialogProps } from '../dialog-props'

const UPDATE = '/device/updateDeviceUserInfo'
const FIELDS = [
  { name: 'ownerUserId', label: 'common:owner', wide: true },
  { name: 'customerName', label: 'asset:customer-name' },
  { name: 'customerAddress', label: 'asset:customer-address' },
  {
    ...({ name: 'elevatorId', label: 'common:elevator', kind: 'choice' } as const),
    ...({ placeholder: 'asset:no-elevator', clearable: true, wide: true } as const),
  },
] as const
const NAMES = FIELDS.map(({ name }) => name)

/** Of all accounts of a tree: what a conflict is shown in. */
const namesIn = (accounts: readonly Account[]): readonly Option[] =>
  accounts.flatMap(({ userId, name, childs }) => [{ value: userId, label: name }, ...namesIn(childs)])

/** Only what was changed is sent. */
export function OwnerDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('asset')
  const { deviceId } = row
  const [belongings, setBelongings] = useState<Belongings>('keep')
  const owners = useCall('/device/selectOwnUser', {})
  const elevators = useCall('/elevator/list', { currentPage: 1, pageSize: 1000 })
  const action = useAction(UPDATE, t('save'), NAMES)
  const late = action.late.length > 0
  const newest = useCall('/device/selectDeviceByDeviceId', { deviceId }, { enabled: late, staleTime: 0 })
  const present = newest.data ?? row
  const given = ({ ownerUserId }: Values) => ownerUserId !== present.ownerUserId
  const owner = (value: Value, change: (value: Value) => void) => (
    <OwnerTree
      wide
      value={Number(value)}
      onChange={(chosen) => change(chosen ?? present.ownerUserId)}
      words={{ label: t('owner'), every: t('owner'), named: String }}
    />
  )
  const send = (values: Values, updateTime = row.updateTime, typed: readonly string[] = []) => {
    if (typed.length === 0) return onClose()
    const changes = Object.fromEntries(typed.map((name) => [name, values[name] ?? null]))
    void action.run({ deviceId, updateTime, ...changes, ...(given(values) && { things: belongings }) }, onClose)
  }
  return (
    <FormDialog
      texts="asset"
      title={t('owner-of', { name: row.deviceCode })}
      verb={(values) => t(given(values) ? 'give-away' : 'save')}
      fields={FIELDS}
      limits={limitsOf(UPDATE)}
      options={{
        ownerUserId: namesIn(owners.data?.list ?? []),
        elevatorId: (elevators.data?.list ?? []).map(({ elevatorId, elevatorName, buildingName }) => ({
          value: elevatorId,
          label: `${buildingName} · ${elevatorName}`,
        })),
      }}
      controls={{ ownerUserId: owner }}
      row={{ ...present } satisfies FormRow}
      start={{}}
      draft={`${UPDATE} ${deviceId}`}
      action={action}
      danger={(values) => given(values) && belongings === 'erase'}
      foot={(values) => given(values) && <BelongingsChoice value={belongings} onChange={setBelongings} />}
      onSend={send}
      onRefresh={newest.refetch}
      onClose={onClose}
    />
  )
}
