/** Whose a robot is, whom it works for and which elevator it rides; a new owner asks what becomes of its things. */

import { Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { Modal } from '@/shared/ui/modal'
import { type Belongings, BelongingsChoice } from '@/widgets/form/belongings-choice'
import { Field, Problem } from '@/widgets/form/field'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { useAction } from '@/widgets/form/use-action'
import type { DialogProps } from '../dialog-props'

export function OwnerDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('asset')
  const [owner, setOwner] = useState(row.ownerUserId)
  const [belongings, setBelongings] = useState<Belongings>('keep')
  const [customer, setCustomer] = useState(row.customerName)
  const [address, setAddress] = useState(row.customerAddress)
  const [elevator, setElevator] = useState(row.elevatorId)
  const elevators = useCall('/elevator/list', { currentPage: 1, pageSize: 1000 })
  const action = useAction('/device/updateDeviceUserInfo', t('save'), ['ownerUserId', 'elevatorId'])
  const given = owner !== row.ownerUserId
  const send = () =>
    action.run(
      {
        deviceId: row.deviceId,
        updateTime: row.updateTime,
        ...(given && { ownerUserId: owner, things: belongings }),
        ...(customer !== row.customerName && { customerName: customer }),
        ...(address !== row.customerAddress && { customerAddress: address }),
        ...(elevator !== row.elevatorId && { elevatorId: elevator }),
      },
      onClose,
    )
  return (
    <Modal
      open
      title={t('owner-of', { name: row.deviceCode })}
      okText={given ? t('give-away') : t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, danger: given && belongings === 'erase' }}
      onOk={send}
      onCancel={onClose}
    >
      <Field label={t('owner')} fault={action.problemAt('ownerUserId')}>
        <OwnerTree
          wide
          value={owner}
          onChange={(chosen) => setOwner(chosen ?? row.ownerUserId)}
          words={{ label: t('owner'), every: t('owner'), named: String }}
        />
      </Field>
      {given && <BelongingsChoice value={belongings} onChange={setBelongings} />}
      <Field label={t('customer-name')}>
        <Input
          value={customer}
          maxLength={LIMITS['/device/updateDeviceUserInfo'].customerName.maxLength}
          onChange={(event) => setCustomer(event.target.value)}
        />
      </Field>
      <Field label={t('customer-address')}>
        <Input
          value={address}
          maxLength={LIMITS['/device/updateDeviceUserInfo'].customerAddress.maxLength}
          onChange={(event) => setAddress(event.target.value)}
        />
      </Field>
      <Field label={t('elevator')} fault={action.problemAt('elevatorId')}>
        <Select
          aria-label={t('elevator')}
          value={elevator}
          allowClear
          loading={elevators.isPending}
          showSearch={{ optionFilterProp: 'label' }}
          notFoundContent={t('empty-list')}
          placeholder={t('no-elevator')}
          onChange={(chosen: number | undefined) => setElevator(chosen ?? null)}
          options={(elevators.data?.list ?? []).map(({ elevatorId, elevatorName, buildingName }) => ({
            value: elevatorId,
            label: `${buildingName} · ${elevatorName}`,
          }))}
        />
      </Field>
      <Problem text={action.problem} />
    </Modal>
  )
}
