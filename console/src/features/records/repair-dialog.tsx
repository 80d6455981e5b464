/** One repair: taken over, finished or corrected; only what was changed is sent, so that a newer row loses nothing. */

import { DatePicker, Input, Radio } from 'antd'
import dayjs from 'dayjs'
import { useFormats } from '@/shared/i18n/format'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Columns, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DraftNote } from '@/widgets/form/draft/draft-note'
import { Field, Problem } from '@/widgets/form/field'
import type { FormField, Rule, Value } from '@/widgets/form/fields'
import { Outcome } from '@/widgets/form/outcome'
import { required } from '@/widgets/form/rules'
import { useAction } from '@/widgets/form/use-action'
import { useForm } from '@/widgets/form/use-form'
import { RepairState, type State, WORDS } from './repair-state'
import type { RepairRow } from './rows'

type Values = Pick<
  RepairRow,
  'type' | 'detail' | 'date' | 'operator' | 'processor' | 'processTime' | 'processPlan' | 'state'
>

const DAY = 'YYYY-MM-DD'
const HANDLED = 2
const LIMIT = LIMITS['/repair/updateRepair']

/** Some fields are required from a state on. */
const requiredFrom =
  (from: State): Rule<TextKey<'records'>> =>
  (value, all) =>
    Number(all.state) >= from ? required(value, all) : undefined

const FIELDS: readonly FormField<keyof Values, TextKey<'records'>>[] = [
  { name: 'type', label: 'repair-type', rule: required },
  { name: 'date', label: 'reported-on' },
  { name: 'detail', label: 'repair-detail', rule: required },
  { name: 'operator', label: 'reported-by' },
  { name: 'processor', label: 'handled-by', rule: requiredFrom(1) },
  { name: 'processPlan', label: 'repair-plan', rule: requiredFrom(HANDLED) },
  { name: 'processTime', label: 'handled-at', rule: requiredFrom(HANDLED) },
  { name: 'state', label: 'state' },
]
const NAMES = FIELDS.map(({ name }) => name)

const labelOf = (name: string) => FIELDS.find((field) => field.name === name)?.label ?? 'shell:other-data'

interface Props {
  row: RepairRow
  onRefresh(): Promise<unknown>
  onClose(): void
}

/** A value as somebody else's stands beside mine. */
function useFormat() {
  const { t } = useTranslation('records')
  const { date, dateTime } = useFormats()
  return (name: string, value: Value) => {
    if (name === 'state') return t(WORDS[value as State])
    if (name === 'date') return date(Date.parse(String(value)), 'UTC')
    if (name === 'processTime' && value) return dateTime(Date.parse(String(value)))
    return String(value ?? '')
  }
}

export function RepairDialog({ row, onRefresh, onClose }: Props) {
  const { t } = useTranslation('records')
  const { processTime = null, ...rest } = row
  const form = useForm<Values, TextKey<'records'>>(
    FIELDS,
    row,
    { ...rest, processTime },
    `/repair/updateRepair ${row.id}`,
  )
  const format = useFormat()
  const action = useAction('/repair/updateRepair', t('save'), NAMES)
  const late = action.late.length > 0
  const { values, typed, changeAll: change } = form
  const closed = row.state === HANDLED
  const fault = (name: keyof Values) => {
    const key = form.faultAt(name)
    return key ? t(key) : action.problemAt(name)
  }
  const send = () => {
    const changes = Object.fromEntries(typed.map((name) => [name, values[name as keyof Values]]))
    const { updateTime = row.updateTime } = form
    if (form.ready()) action.run({ id: row.id, ...changes, updateTime }, onClose)
  }
  const steps = (closed ? [row.state] : [row.state, row.state + 1]) as State[]
  const text = (name: 'type' | 'operator' | 'processor') => (
    <Field label={t(labelOf(name))} fault={fault(name)}>
      <Input
        value={values[name]}
        maxLength={LIMIT[name].maxLength}
        disabled={closed}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </Field>
  )
  const long = (name: 'detail' | 'processPlan') => (
    <div data-wide>
      <Field label={t(labelOf(name))} fault={fault(name)}>
        <Input.TextArea
          rows={3}
          value={values[name]}
          maxLength={LIMIT[name].maxLength}
          disabled={closed}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      </Field>
    </div>
  )
  return (
    <Modal
      open
      width={640}
      title={t('repair-of', { name: row.deviceCode })}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{
        loading: action.busy,
        disabled: closed || typed.length === 0 || late,
      }}
      onOk={send}
      {...form.closing(onClose)}
    >
      <DraftNote savedAt={form.draftOf} onDiscard={form.discard} />
      {closed && (
        <Text tone="quiet" below="m">
          {t('handled-stays')}
        </Text>
      )}
      <Columns gap="xl" lines="none">
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
        <Text as="fieldset" above="l">
          <legend>{t('next-state')}</legend>
          <Radio.Group
            value={values.state}
            disabled={closed}
            onChange={(event) => {
              const state: State = event.target.value
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
        </Text>
      </Columns>
      <Outcome {...{ form, action, format, onRefresh }} label={(name) => t(labelOf(name))} />
    </Modal>
  )
}
