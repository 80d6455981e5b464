/**
 * What is to be done on a robot again and again. The list is written whole; what was typed lies apart from what the
 * server told, so that a newer list loses none of it.
 */
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Button, DatePicker, Input, InputNumber, Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { DialogProps } from '../dialog-props'
import { type Draft, drafts, faultsOf, payloadOf, type Typed } from './maintenance'
import { ChangedByOther, DoneSoFar, Hours } from './upkeep'
import styles from './upkeep.module.css'

type Plan = Answer<'/maintain/findMaintainBySn'>['list'][number]

const DAY = 'YYYY-MM-DD'
const WORDS: Readonly<Record<string, string>> = {
  name: 'maintain-what',
  maintainDate: 'maintain-date',
  done: 'mark-done',
}

export function MaintenanceDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('upkeep')
  const sn = row.deviceSerialNumber
  const query = useCall('/maintain/findMaintainBySn', { deviceSerialNumber: sn })
  const action = useAction('/maintain/updateMaintainBySn', t('save'))
  const [typed, setTyped] = useState<Typed>({})
  const [submitted, setSubmitted] = useState(false)
  const plans: readonly Plan[] = query.data?.list ?? []
  const rows = drafts(plans, typed)
  const faults = faultsOf(rows)
  const send = () => {
    setSubmitted(true)
    if (faults.size > 0 || !query.data) return
    const done = () => {
      setTyped({})
      setSubmitted(false)
    }
    action.run({ device_serial_number: sn, list: payloadOf(rows), updateTime: query.data.updateTime }, done)
  }
  const change = (key: string, part: Partial<Draft>) => setTyped({ ...typed, [key]: { ...typed[key], ...part } })
  const add = (
    <Button
      icon={<IconPlus size={16} stroke={2} />}
      onClick={() => change(`new${Object.keys(typed).length}`, { name: '', period: null, maintainDate: null })}
    >
      {t('add-maintenance')}
    </Button>
  )
  return (
    <Modal
      open
      width={760}
      title={t('maintenance-of', { name: row.deviceCode })}
      okText={t('save')}
      cancelText={t('close')}
      okButtonProps={{ loading: action.busy, disabled: Object.keys(typed).length === 0 || action.late.length > 0 }}
      onOk={send}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('hours-how')} {t('warned-how')}
      </Text>
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
      <Problem text={action.late.length > 0 ? undefined : action.problem} />
      <ChangedByOther
        names={action.late.map((field) => (field === 'period' ? t('period') : WORDS[field] ? t(WORDS[field]) : field))}
        onRefresh={() => void query.refetch().then(action.reset)}
      />
    </Modal>
  )
}

interface LineProps {
  draft: Draft & { key: string }
  plan: Plan | undefined
  fault: { field: string; text: string } | undefined
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
          <Input value={draft.name} maxLength={100} onChange={(event) => onChange({ name: event.target.value })} />
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
