/** What is to be done on a robot again and again. The list is written whole, by one form. */

import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Button, DatePicker, Input, InputNumber } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { Text } from '@/shared/ui/layout'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { Field } from '@/widgets/form/field'
import type { Values } from '@/widgets/form/fields'
import { Outcome } from '@/widgets/form/outcome'
import { useAction } from '@/widgets/form/use-action'
import { useForm } from '@/widgets/form/use-form'
import type { DialogProps } from '../dialog-props'
import {
  type Draft,
  drafts,
  type Fault,
  faultsOf,
  formFields,
  formRowOf,
  freshOf,
  type Keyed,
  type Plans,
  payloadOf,
  wordsOf,
} from './maintenance'
import { DoneSoFar, Hours } from './upkeep'
import styles from './upkeep.module.css'
import { UpkeepSheet } from './upkeep-sheet'

type Plan = Plans['list'][number]

const DAY = 'YYYY-MM-DD'

export function MaintenanceDialog({ row, onClose }: DialogProps) {
  const query = useCall('/maintain/findMaintainBySn', { deviceSerialNumber: row.deviceSerialNumber })
  const { data } = query
  const plans = data?.list ?? []
  const { t } = useTranslation('upkeep')
  const { date, number } = useFormats()
  const [added, setAdded] = useState(0)
  const [submitted, setSubmitted] = useState(false)
  const fields = formFields(plans, added)
  const form = useForm<Values>(fields, data && formRowOf(data), {})
  const action = useAction('/maintain/updateMaintainBySn', t('save'))
  const late = action.late.length > 0
  const rows = drafts(form.values)
  const faults = faultsOf(rows)
  const follow = async () => {
    const newest = await query.refetch()
    if (newest.data) form.takeOver(form.typed, formRowOf(newest.data))
    setSubmitted(false)
  }
  const send = () => {
    setSubmitted(true)
    const { updateTime } = form
    const list = payloadOf(rows)
    const payload = { device_serial_number: row.deviceSerialNumber, list, ...(updateTime && { updateTime }) }
    if (faults.size === 0) action.run(payload, () => void follow())
  }
  const change = (key: string, part: Partial<Draft>) =>
    form.changeAll(Object.fromEntries(Object.entries(part).map(([name, value]) => [`${key} ${name}`, value])))
  const label = (name: string) => {
    const { plan, label: key } = wordsOf(name, form.theirs ?? form.values)
    return [plan, key && t(key)].filter(Boolean).join(': ')
  }
  const add = (
    <Button
      icon={<IconPlus size={16} stroke={2} />}
      onClick={() => {
        form.changeAll(freshOf(added))
        setAdded(added + 1)
      }}
    >
      {t('add-maintenance')}
    </Button>
  )
  return (
    <UpkeepSheet
      title="maintenance-of"
      {...{ row, onClose }}
      okButtonProps={{ loading: action.busy, disabled: form.typed.length === 0 || late }}
      onOk={send}
    >
      <QueryView query={query}>
        {({ done }) => (
          <>
            {rows.length === 0 ? (
              <Nothing why={t('no-maintenance')} action={add} />
            ) : (
              <>
                <ul className={styles.list}>
                  {rows.map((draft) => (
                    <li key={draft.key}>
                      <PlanLine
                        draft={draft}
                        plan={plans.find(({ id }) => id === draft.id)}
                        fault={submitted ? faults.get(draft.key) : undefined}
                        onChange={(part) => change(draft.key, part)}
                      />
                    </li>
                  ))}
                </ul>
                {add}
              </>
            )}
            <DoneSoFar done={done} named={String} />
          </>
        )}
      </QueryView>
      <Outcome
        {...{ form, action, label }}
        fields={form.changed.length > 0 ? form.changed : undefined}
        format={(name, value) =>
          typeof value === 'number'
            ? number(value, 1)
            : value && name.endsWith('Date')
              ? date(Date.parse(String(value)), 'UTC')
              : String(value ?? '')
        }
        onRefresh={query.refetch}
      />
    </UpkeepSheet>
  )
}

interface LineProps {
  draft: Keyed
  plan: Plan | undefined
  fault: Fault | undefined
  onChange(part: Partial<Draft>): void
}

function PlanLine({ draft, plan, fault, onChange }: LineProps) {
  const { t } = useTranslation('upkeep')
  const { date } = useFormats()
  const at = (field: string) => (fault?.field === field ? t(fault.text) : undefined)
  return (
    <>
      <div className={styles.plan}>
        <Field label={t('maintain-what')} fault={at('name')}>
          <Input
            value={draft.name}
            maxLength={LIMITS['/maintain/updateMaintainBySn'].list.items.name.maxLength}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Field>
        <Field label={t('period')} fault={at('period')}>
          <InputNumber
            className={styles.full ?? ''}
            dir="ltr"
            controls={false}
            max={1_000_000}
            value={draft.period}
            onChange={(period) => onChange({ period })}
          />
        </Field>
        <Field label={t(draft.done ? 'maintain-next' : 'maintain-date')}>
          <DatePicker
            value={draft.maintainDate ? dayjs(draft.maintainDate) : null}
            {...(draft.done && { minDate: dayjs().add(1, 'day') })}
            onChange={(chosen) => onChange({ maintainDate: chosen?.format(DAY) ?? null })}
          />
        </Field>
        <div className={styles.actions}>
          {plan && (
            <Button
              size="small"
              type={draft.done ? 'primary' : 'default'}
              aria-pressed={draft.done}
              onClick={() => onChange({ done: !draft.done, maintainDate: draft.done ? plan.maintainDate : null })}
            >
              {t('mark-done')}
            </Button>
          )}
          <Button
            size="small"
            type="text"
            danger
            icon={<IconTrash size={17} stroke={1.75} />}
            aria-label={`${t('delete')}: ${draft.name}`}
            onClick={() => onChange({ removed: true })}
          />
        </div>
      </div>
      {plan && !draft.done && <Hours used={plan.usedHours} hours={plan.period} state={plan.state} />}
      {plan && (
        <Text size="small" tone="quiet" above="xs">
          {draft.done ? t('done-how') : plan.since && t('since', { date: date(Date.parse(plan.since), 'UTC') })}
        </Text>
      )}
    </>
  )
}
