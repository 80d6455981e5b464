/** One repair: taken over, finished or corrected; only what was changed is sent, so that a newer row loses nothing. */

import { Button, DatePicker, Input, Modal, Radio } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LIMITS } from '@/shared/rpc/limits'
import { Field, Problem, Warning } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import styles from './records.module.css'
import { RepairState, type State } from './repair-state'
import type { RepairRow } from './rows'

type Values = Pick<
  RepairRow,
  'type' | 'detail' | 'date' | 'operator' | 'processor' | 'processTime' | 'processPlan' | 'state'
>

const DAY = 'YYYY-MM-DD'
const LABELS: Readonly<Record<keyof Values, string>> = {
  ...{ type: 'repair-type', detail: 'repair-detail', date: 'reported-on', operator: 'reported-by', state: 'state' },
  ...{ processor: 'handled-by', processTime: 'handled-at', processPlan: 'repair-plan' },
}
const HANDLED = 2

interface Props {
  row: RepairRow
  onRefresh(): Promise<unknown>
  onClose(): void
}

/** The fields that a state wants and that are empty. */
const missingOf = ({ type, detail, state, processor, processPlan, processTime }: Values): readonly string[] => [
  ...(type.trim() ? [] : ['type']),
  ...(detail.trim() ? [] : ['detail']),
  ...(state > 0 && !processor.trim() ? ['processor'] : []),
  ...(state === HANDLED && !processPlan.trim() ? ['processPlan'] : []),
  ...(state === HANDLED && !processTime ? ['processTime'] : []),
]

export function RepairDialog({ row, onRefresh, onClose }: Props) {
  const { t } = useTranslation('records')
  const [typed, setTyped] = useState<Partial<Values>>({})
  const [seen, setSeen] = useState(row.updateTime)
  const [submitted, setSubmitted] = useState(false)
  const action = useAction('/repair/updateRepair', t('save'), Object.keys(LABELS))
  const values: Values = { ...row, ...typed }
  const closed = row.state === HANDLED
  const missing = missingOf(values)
  const change = (part: Partial<Values>) => setTyped({ ...typed, ...part })
  const fault = (name: keyof Values) =>
    (submitted && missing.includes(name) && t('fault-required')) || action.problemAt(name) || undefined
  const send = () => {
    setSubmitted(true)
    if (missing.length === 0) action.run({ id: row.id, ...typed, updateTime: seen }, onClose)
  }
  const steps = (closed ? [row.state] : [row.state, row.state + 1]) as State[]
  const text = (name: 'type' | 'operator' | 'processor') => (
    <Field label={t(LABELS[name])} fault={fault(name)}>
      <Input
        value={values[name]}
        maxLength={100}
        disabled={closed}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </Field>
  )
  const long = (name: 'detail' | 'processPlan') => (
    <div data-wide>
      <Field label={t(LABELS[name])} fault={fault(name)}>
        <Input.TextArea
          rows={3}
          value={values[name]}
          maxLength={LIMITS['/repair/updateRepair'].detail.maxLength}
          disabled={closed}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      </Field>
    </div>
  )
  const refresh = async () => {
    await onRefresh()
    action.reset()
  }
  if (action.late.length === 0 && seen !== row.updateTime && !action.busy) setSeen(row.updateTime)
  return (
    <Modal
      open
      width={640}
      title={t('repair-of', { name: row.deviceCode })}
      okText={t('save')}
      cancelText={t('back')}
      okButtonProps={{
        loading: action.busy,
        disabled: closed || Object.keys(typed).length === 0 || action.late.length > 0,
      }}
      onOk={send}
      onCancel={onClose}
    >
      {closed && <p className={styles.says}>{t('handled-stays')}</p>}
      <div className={styles.form}>
        {text('type')}
        <Field label={t('reported-on')} fault={fault('date')}>
          <DatePicker
            value={dayjs(values.date)}
            maxDate={dayjs()}
            allowClear={false}
            disabled={closed}
            onChange={(day) => change({ date: (day ?? dayjs()).format(DAY) })}
          />
        </Field>
        {long('detail')}
        {text('operator')}
        {text('processor')}
        {long('processPlan')}
        <Field label={t('handled-at')} fault={fault('processTime')}>
          <DatePicker
            showTime={{ format: 'HH:mm' }}
            value={values.processTime ? dayjs(values.processTime) : null}
            disabled={closed}
            onChange={(at) => change({ processTime: at?.toISOString() ?? null })}
          />
        </Field>
        <fieldset className={styles.choice}>
          <legend>{t('next-state')}</legend>
          <Radio.Group
            value={values.state}
            disabled={closed}
            onChange={(event) => {
              const state = event.target.value as State
              change({ state, ...(state === HANDLED && !values.processTime && { processTime: dayjs().toISOString() }) })
            }}
          >
            {steps.map((step) => (
              <Radio key={step} value={step}>
                <RepairState state={step} />
              </Radio>
            ))}
          </Radio.Group>
          <Problem text={fault('state')} />
        </fieldset>
      </div>
      <Problem text={action.late.length > 0 ? undefined : action.problem} />
      {action.late.length > 0 && (
        <Warning alert>
          {t('changed-by-other', {
            fields: action.late.map((name) => t(LABELS[name as keyof Values] ?? name)).join(' · '),
          })}
          <Button size="small" onClick={() => void refresh()}>
            {t('refresh')}
          </Button>
        </Warning>
      )}
    </Modal>
  )
}
