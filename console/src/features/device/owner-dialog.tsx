/** Whose a robot is, whom it works for and which elevator it rides; a new owner asks what becomes of its things. */
import { Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '@/shared/rpc/hooks'
import { Field, Problem } from '@/widgets/field'
import { OwnerTree } from '@/widgets/owner-tree'
import { type Things, ThingsChoice } from '@/widgets/things-choice'
import { useDeed } from '@/widgets/use-deed'
import type { DialogProps } from './dialog-props'

export function OwnerDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('asset')
  const [owner, setOwner] = useState(row.ownerUserId)
  const [things, setThings] = useState<Things>('keep')
  const [customer, setCustomer] = useState(row.customerName)
  const [address, setAddress] = useState(row.customerAddress)
  const [elevator, setElevator] = useState(row.elevatorId)
  const elevators = useCall('/elevator/list', { currentPage: 1, pageSize: 1000 })
  const deed = useDeed('/device/updateDeviceUserInfo', t('save'), ['ownerUserId', 'elevatorId'])
  const given = owner !== row.ownerUserId
  const send = () =>
    deed.run(
      {
        deviceId: row.deviceId,
        updateTime: row.updateTime,
        ...(given && { ownerUserId: owner, things }),
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
      cancelText={t('back')}
      okButtonProps={{ loading: deed.busy, danger: given && things === 'erase' }}
      onOk={send}
      onCancel={onClose}
    >
      <Field label={t('owner')} fault={deed.problemAt('ownerUserId')}>
        <OwnerTree
          wide
          value={owner}
          onChange={(chosen) => setOwner(chosen ?? row.ownerUserId)}
          words={{ label: t('owner'), every: t('owner'), named: String }}
        />
      </Field>
      {given && <ThingsChoice value={things} onChange={setThings} />}
      <Field label={t('customer-name')}>
        <Input value={customer} maxLength={200} onChange={(event) => setCustomer(event.target.value)} />
      </Field>
      <Field label={t('customer-address')}>
        <Input value={address} maxLength={200} onChange={(event) => setAddress(event.target.value)} />
      </Field>
      <Field label={t('elevator')} fault={deed.problemAt('elevatorId')}>
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
      <Problem text={deed.problem} />
    </Modal>
  )
}
