/** The robot's parameters, each within its range: what is out of it is refused beside the field, before it is sent. */

import { useQueryClient } from '@tanstack/react-query'
import { InputNumber } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { Field, Problem } from '@/widgets/form/field'
import { useScope, useWay } from '../scope'
import styles from './dialogs.module.css'
import { faultsOf, nameOf } from './params'
import { useOrder } from './use-order'
import { type Params, paramsKey, useParams } from './use-params'

export function ParamsDialog({ onClose }: { onClose(): void }) {
  const { deviceId } = useScope()
  const params = useParams(deviceId, true)
  return (
    <QueryView query={params}>
      {(params) => <Form key={JSON.stringify(params.params)} current={params} onClose={onClose} />}
    </QueryView>
  )
}

function Form({ current, onClose }: { current: Params; onClose(): void }) {
  const { t } = useTranslation('control')
  const { number } = useFormats()
  const queries = useQueryClient()
  const { deviceId } = useScope()
  const way = useWay()('robot_params_set')
  const names = Object.keys(current.ranges)
  const order = useOrder(names)
  const [values, setValues] = useState<Record<string, number | null>>(() => ({ ...current.params }))
  const changed = names.filter((name) => values[name] !== current.params[name])
  const faults = faultsOf(values, current.ranges)
  const say = (name: string) => {
    const fault = faults[name]
    if (!fault) return order.problemAt(name)
    if (fault === 'order') return t('speeds-order')
    const { min, max, unit = '' } = fault
    return t('out-of-range', { min: number(min, 2), max: number(max, 2), unit })
  }
  const save = async () => {
    const params = Object.fromEntries(changed.flatMap((name) => (values[name] == null ? [] : [[name, values[name]]])))
    if (!(await order.send({ command: 'robot_params_set', payload: { params }, label: t('parameters') }))) return
    await queries.invalidateQueries({ queryKey: paramsKey(deviceId) })
    onClose()
  }
  return (
    <Modal
      open
      title={t('parameters')}
      okText={t('save')}
      cancelText={t('cancel')}
      {...(!way.available && { footer: null })}
      okButtonProps={{
        loading: order.busy,
        disabled: way.blocked !== '' || changed.length === 0 || Object.keys(faults).length > 0,
        title: way.blocked,
      }}
      onOk={save}
      onCancel={onClose}
    >
      <div className={styles.grid}>
        {names.map((name) => {
          const { min = 0, max = 0, unit = '' } = current.ranges[name] ?? {}
          const known = nameOf(name)
          const range = t('range', { min: number(min, 2), max: number(max, 2), unit })
          const configured = t('configured')
          const hint = current.configured?.includes(name) ? `${range} · ${configured}` : range
          return (
            <Field key={name} label={known ? t(known) : name} hint={hint} fault={say(name)}>
              <InputNumber<number>
                value={values[name] ?? null}
                disabled={!way.available}
                step={max - min > 10 ? 1 : 0.05}
                suffix={unit}
                {...(faults[name] && { status: 'error' as const })}
                onChange={(value) => setValues({ ...values, [name]: value })}
              />
            </Field>
          )
        })}
      </div>
      {way.blocked && (
        <Text size="small" tone="soft">
          {way.blocked}
        </Text>
      )}
      <Problem text={order.problem} />
    </Modal>
  )
}
