/** Adds a robot, or edits one; two who edit the same see theirs beside mine. */
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Field, Problem } from '@/widgets/form/field'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { useAction } from '@/widgets/form/use-action'
import type { Listed } from '@/widgets/robot/robot'
import type { DialogProps } from '../dialog-props'
import styles from '../dialogs.module.css'
import { Late } from './edit-conflict'
import { DeviceFieldControl, useOptions } from './field-control'
import type { DeviceValue, DeviceValues } from './field-rules'
import { DEVICE_FIELDS, type DeviceField } from './fields'

const NAMES = DEVICE_FIELDS.map(({ name }) => name)
const NEW: DeviceValues = {
  ...Object.fromEntries(NAMES.map((name) => [name, ''])),
  ...{ deviceType: null, protocolVersion: 3, latitude: null, longitude: null, simSupport: null },
  ...{ frpPort: null, sshPort: null, webPort: null, zone: 'UTC' },
}

const pick = (row: Listed): DeviceValues =>
  Object.fromEntries(NAMES.map((name) => [name, (row as unknown as DeviceValues)[name] ?? null]))

const changed = (from: DeviceValues, to: DeviceValues): Record<string, DeviceValue> =>
  Object.fromEntries(NAMES.filter((name) => from[name] !== to[name]).map((name) => [name, to[name] ?? null]))

function useForm(start: DeviceValues) {
  const { t } = useTranslation('asset')
  const [values, setValues] = useState(start)
  const [submitted, setSubmitted] = useState(false)
  const faults = Object.fromEntries(
    DEVICE_FIELDS.flatMap(({ name, rule }) => {
      const fault = rule?.(values[name] ?? null, values)
      return fault ? [[name, t(fault)]] : []
    }),
  )
  const well = () => {
    setSubmitted(true)
    return Object.keys(faults).length === 0
  }
  return { values, setValues, well, faultAt: (name: string) => (submitted ? faults[name] : undefined) }
}

interface FieldsProps {
  form: ReturnType<typeof useForm>
  problemAt(name: string): string | undefined
  fixed(entry: DeviceField): boolean
}

function Fields({ form, problemAt, fixed }: FieldsProps) {
  const { t } = useTranslation('asset')
  return (
    <div className={styles.form}>
      {DEVICE_FIELDS.map((entry, place) => {
        const fault = form.faultAt(entry.name) || problemAt(entry.name)
        return (
          <Field key={entry.name} label={t(entry.label)} hint={entry.hint && t(entry.hint)} fault={fault}>
            <DeviceFieldControl
              field={entry}
              values={form.values}
              wrong={Boolean(fault)}
              first={place === 0}
              fixed={fixed(entry)}
              onChange={(value) => form.setValues({ ...form.values, [entry.name]: value })}
            />
          </Field>
        )
      })}
    </div>
  )
}

const needsPort = ({ name }: DeviceField, values: DeviceValues) =>
  (name === 'sshPort' || name === 'webPort') && values.frpPort === null && values[name] === null

export function AddDialog({ onClose }: Pick<DialogProps, 'onClose'>) {
  const { t } = useTranslation('asset')
  const form = useForm(NEW)
  const [owner, setOwner] = useState<number>()
  const action = useAction('/device/insertDevice', t('add'), [...NAMES, 'ownerUserId'])
  const send = () => {
    if (!form.well()) return
    const { deviceSerialNumber, deviceCode, deviceType, ...rest } = form.values
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
    <Modal
      open
      width={720}
      title={t('add-device')}
      okText={t('add')}
      cancelText={t('back')}
      okButtonProps={{ loading: action.busy }}
      onOk={send}
      onCancel={onClose}
    >
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
      <Fields form={form} problemAt={action.problemAt} fixed={(entry) => needsPort(entry, form.values)} />
      <Problem text={action.problem} />
    </Modal>
  )
}

export function EditDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('asset')
  const [base, setBase] = useState({ values: pick(row), at: row.updateTime })
  const form = useForm(base.values)
  const action = useAction('/device/updateDeviceInfo', t('save'), NAMES)
  const late = action.late.length > 0
  const newest = useCall('/device/selectDeviceByDeviceId', { deviceId: row.deviceId }, { enabled: late, staleTime: 0 })
  const optionsOf = useOptions()
  const theirs = late && newest.data && newest.data.updateTime !== base.at ? newest.data : undefined
  const label = (name: string) => t(DEVICE_FIELDS.find((entry) => entry.name === name)?.label ?? 'other-data')
  const format = (name: string, value: DeviceValue) => {
    const options = optionsOf(DEVICE_FIELDS.find((entry) => entry.name === name)?.kind)
    return options.find((option) => option.value === value)?.label ?? String(value ?? '')
  }
  /** What I have not touched becomes theirs in any case. */
  const settle = (give: readonly string[]) => {
    if (!theirs) return
    const now = pick(theirs)
    const unsaved = Object.entries(changed(base.values, form.values)).filter(([name]) => !give.includes(name))
    form.setValues({ ...now, ...Object.fromEntries(unsaved) })
    setBase({ values: now, at: theirs.updateTime })
    action.reset()
  }
  const send = () => {
    const changes = changed(base.values, form.values)
    if (Object.keys(changes).length === 0) return onClose()
    if (form.well()) action.run({ deviceId: row.deviceId, updateTime: base.at, ...changes }, onClose)
  }
  return (
    <Modal
      open
      width={720}
      title={t('edit-named', { name: row.deviceCode })}
      okText={t('save')}
      cancelText={t('back')}
      okButtonProps={{ loading: action.busy, disabled: late }}
      onOk={send}
      onCancel={onClose}
    >
      <Fields form={form} problemAt={action.problemAt} fixed={(entry) => needsPort(entry, form.values)} />
      {late ? (
        <Late
          fields={action.late.filter((name) => NAMES.includes(name))}
          label={label}
          format={format}
          ours={form.values}
          theirs={theirs && pick(theirs)}
          onTake={settle}
          onKeep={() => settle([])}
        />
      ) : (
        <Problem text={action.problem} />
      )}
    </Modal>
  )
}
