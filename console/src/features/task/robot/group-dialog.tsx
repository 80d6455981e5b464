/** A task group: its type, its units in their order, and how often it is worked through. */

import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { Button, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useTell } from '../robot-link'
import { useMaps } from './floors'
import { faultsOf, type Group, KINDS, movedUnit, type Values } from './groups'
import type { Owner } from './owner'
import styles from './robot.module.css'
import { useTasks } from './tasks'

interface Props {
  owner: Owner
  group: Group | undefined
  onClose(): void
}

const NEW: Values = { name: '', type: 0, tasks: [], count: 1 }
const LIMIT = COMMAND_LIMITS.taskgroup_add

export function GroupDialog({ owner, group, onClose }: Props) {
  const { t } = useTranslation('task')
  const { deviceId, online } = owner
  const [values, setValues] = useState<Values>(group ?? NEW)
  const [submitted, setSubmitted] = useState(false)
  const maps = useMaps(deviceId)
  const tasks = useTasks(deviceId, online)
  const { tell, busy, refused, forget } = useTell(deviceId)
  const faults = faultsOf(
    values,
    (map) => maps.data?.list.find((row) => row.name === map)?.building,
    owner.customerName,
  )
  const change = (part: Partial<Values>) => {
    forget()
    setValues({ ...values, ...part })
  }
  const fault = (field: 'name' | 'tasks') =>
    (submitted && faults[field] && t(faults[field])) || (refused?.field === field ? refused.text : undefined)
  const save = async () => {
    setSubmitted(true)
    if (faults.name || faults.tasks) return
    const { type, count } = values
    const name = values.name.trim()
    const units = values.tasks.map((unit) => ({ ...unit, name: unit.name.trim() }))
    const payload = { name, type, count, tasks: units, ...(group && { revision: group.revision }) }
    const order = { command: 'taskgroup_add', payload, label: t('save-named', { name }) } as const
    if (await tell(order, { kind: 'group', name })) onClose()
  }
  const unit = (place: number, part: { name: string }) =>
    change({ tasks: values.tasks.map((entry, n) => (n === place ? { ...entry, ...part } : entry)) })
  return (
    <Modal
      open
      width={620}
      title={group ? t('edit-named', { name: group.name }) : t('new-group')}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy, disabled: !online }}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <Field label={t('name')} fault={fault('name')}>
        <Input
          value={values.name}
          maxLength={LIMIT.name.maxLength}
          disabled={group !== undefined}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field label={t('kind')} hint={textOr(t, `kind-how-${values.type}`, '')}>
        <Select
          aria-label={t('kind')}
          value={values.type}
          onChange={(type) => change({ type })}
          options={KINDS.map((kind, type) => ({ value: type, label: t(kind) }))}
        />
      </Field>
      <Field label={t('add-unit')} fault={fault('tasks')}>
        <Select
          aria-label={t('add-unit')}
          value={null}
          placeholder={t('choose-tasks')}
          disabled={values.tasks.length >= LIMIT.tasks.maxItems}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(place: number | null) => {
            const task = tasks.rows?.[place ?? -1]
            if (task)
              change({ tasks: [...values.tasks, { name: task.name, map_name: task.map_name, task: task.name }] })
          }}
          options={(tasks.rows ?? []).map((task, n) => ({ value: n, label: `${task.map_name}: ${task.name}` }))}
        />
      </Field>
      <ol className={styles.units}>
        {values.tasks.map((entry, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same task may stand there twice; a unit is its place
          <li key={n}>
            <span>
              <Input
                size="small"
                maxLength={LIMIT.tasks.items.name.maxLength}
                value={entry.name}
                aria-label={t('unit-name', { number: n + 1 })}
                onChange={(event) => unit(n, { name: event.target.value })}
              />
              <span>
                {entry.map_name}: {entry.task}
              </span>
              <Button
                size="small"
                type="text"
                icon={<IconArrowUp size={15} />}
                disabled={n === 0}
                aria-label={t('unit-up', { number: n + 1 })}
                onClick={() => change({ tasks: movedUnit(values.tasks, n, -1) })}
              />
              <Button
                size="small"
                type="text"
                icon={<IconArrowDown size={15} />}
                disabled={n === values.tasks.length - 1}
                aria-label={t('unit-down', { number: n + 1 })}
                onClick={() => change({ tasks: movedUnit(values.tasks, n, 1) })}
              />
              <Button
                size="small"
                type="text"
                icon={<IconTrash size={15} />}
                aria-label={t('unit-remove', { number: n + 1 })}
                onClick={() => change({ tasks: values.tasks.filter((_, place) => place !== n) })}
              />
            </span>
          </li>
        ))}
      </ol>
      <Field label={t('rounds')}>
        <InputNumber
          min={1}
          max={LIMIT.count.maximum}
          value={values.count}
          onChange={(count) => change({ count: count ?? 1 })}
        />
      </Field>
      {refused && !['name', 'tasks'].includes(refused.field) && <Problem text={refused.text} />}
    </Modal>
  )
}
