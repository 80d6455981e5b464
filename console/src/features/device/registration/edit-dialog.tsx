/** Adds a robot, or edits one by the form that every row has: two who edit the same see theirs beside mine. */
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Field } from '@/widgets/form/field'
import { type FormRow, limitsOf, type Value, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { useAction } from '@/widgets/form/use-action'
import type { DialogProps } from '../dialog-props'
import { FreePort, useOptions } from './field-options'
import { DEVICE_FIELDS } from './fields'

const NAMES = DEVICE_FIELDS.map(({ name }) => name)
const NEW: Values = {
  ...Object.fromEntries(NAMES.map((name) => [name, ''])),
  ...{ deviceType: null, protocolVersion: 3, latitude: null, longitude: null, simSupport: null },
  ...{ frpPort: null, sshPort: null, webPort: null, traffic: null, zone: 'UTC', testDevice: false },
}

const LATER_PORTS: ReadonlySet<string> = new Set(['sshPort', 'webPort', 'traffic'])

const COMMON = {
  texts: 'asset' as const,
  fields: DEVICE_FIELDS,
  /** The tunnel's port comes first. */
  disabled: (name: string, values: Values) => LATER_PORTS.has(name) && values.frpPort === null && values[name] === null,
  suffix: (name: string, values: Values, change: (value: Value) => void) =>
    name === 'frpPort' && <FreePort host={String(values.frpHost ?? '')} onPort={change} />,
}

export function AddDialog({ onClose }: Pick<DialogProps, 'onClose'>) {
  const { t } = useTranslation('asset')
  const [owner, setOwner] = useState<number>()
  const options = useOptions()
  const action = useAction('/device/insertDevice', t('add'), [...NAMES, 'ownerUserId'])
  const send = ({ deviceSerialNumber, deviceCode, deviceType, ...rest }: Values) => {
    const payload = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '' && value !== null))
    action.run(
      {
        ...payload,
        deviceSerialNumber: String(deviceSerialNumber),
        deviceCode: String(deviceCode),
        deviceType: Number(deviceType),
        ...(owner !== undefined && { ownerUserId: owner }),
      },
      onClose,
    )
  }
  return (
    <FormDialog
      {...COMMON}
      {...{ options, action, onClose }}
      title={t('add-device')}
      limits={limitsOf('/device/insertDevice')}
      row={undefined}
      draft="/device/insertDevice"
      start={NEW}
      head={
        <>
          <Text tone="quiet" below="m">
            {t('add-how')}
          </Text>
          <Field label={t('owner')} fault={action.problemAt('ownerUserId')}>
            <OwnerTree
              wide
              value={owner}
              onChange={setOwner}
              words={{ label: t('owner'), every: t('myself'), named: String }}
            />
          </Field>
        </>
      }
      onSend={send}
    />
  )
}

/** Only what was changed is sent. */
export function EditDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('asset')
  const { deviceId } = row
  const options = useOptions()
  const action = useAction('/device/updateDeviceInfo', t('save'), NAMES)
  const late = action.late.length > 0
  const newest = useCall('/device/selectDeviceByDeviceId', { deviceId }, { enabled: late, staleTime: 0 })
  const send = (values: Values, updateTime = row.updateTime, typed: readonly string[] = []) => {
    if (typed.length === 0) return onClose()
    const changes = Object.fromEntries(typed.map((name) => [name, values[name] ?? null]))
    action.run({ deviceId, updateTime, ...changes }, onClose)
  }
  return (
    <FormDialog
      {...COMMON}
      {...{ options, action, onClose }}
      title={t('edit-named', { name: row.deviceCode })}
      limits={limitsOf('/device/updateDeviceInfo')}
      row={{ ...(newest.data ?? row) } satisfies FormRow}
      start={NEW}
      draft={`/device/updateDeviceInfo ${row.deviceId}`}
      onSend={send}
      onRefresh={newest.refetch}
    />
  )
}
