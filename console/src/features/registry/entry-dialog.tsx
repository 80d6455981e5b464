/**
 * Adds or edits one entry of a list. Who is late is told what somebody else has changed, and takes it over without
 * losing what was typed.
 */
import { Button, Input, InputNumber, Modal, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, Problem, Warning } from '@/widgets/form/field'
import styles from './registry.module.css'
import type { RegistryRule, RegistryValue, RegistryValues } from './rules'

export interface RegistryField {
  readonly name: string
  /** Its name in the list, where that is another. */
  readonly of?: string
  /** Key of its text. */
  readonly label: string
  readonly hint?: string
  readonly kind?: 'number' | 'choice' | 'choices' | 'secret'
  readonly options?: readonly { value: string | number; label: string }[]
  /** Addresses, codes and ports read from left to right in every language. */
  readonly ltr?: boolean
  readonly wide?: boolean
  readonly longest?: number
  readonly rule?: RegistryRule
}

interface EntryAction {
  readonly busy: boolean
  readonly late: readonly string[]
  readonly problem: string | undefined
  problemAt(name: string): string | undefined
  reset(): void
}

/** What a list tells of an entry: more than the entries, which are its fields. */
export type Row = Readonly<Record<string, unknown>> & { readonly updateTime: string }

interface Props {
  title: string
  entries: readonly RegistryField[]
  /** What stands there now; undefined where the entry is new. */
  row: Row | undefined
  start: RegistryValues
  action: EntryAction
  onSend(values: RegistryValues, updateTime: string | undefined): void
  /** Reads the list again, so that `row` is what stands there now. */
  onRefresh(): Promise<unknown>
  onClose(): void
}

const pick = (entries: readonly RegistryField[], from: RegistryValues | Row): RegistryValues =>
  Object.fromEntries(entries.map(({ name, of = name }) => [name, (from[of] ?? null) as RegistryValue]))

export function EntryDialog({ title, entries, row, start, action, onSend, onRefresh, onClose }: Props) {
  const { t } = useTranslation('registry')
  const [base, setBase] = useState(() => ({ values: pick(entries, row ?? start), at: row?.updateTime }))
  const [values, setValues] = useState(base.values)
  const [submitted, setSubmitted] = useState(false)
  const faults = Object.fromEntries(
    entries.flatMap(({ name, rule }) => {
      const fault = rule?.(values[name] ?? null, values)
      return fault ? [[name, t(fault)]] : []
    }),
  )
  const send = () => {
    setSubmitted(true)
    if (Object.keys(faults).length === 0) onSend(values, base.at)
  }
  const newer = action.late.length > 0 && row !== undefined && row.updateTime !== base.at
  const takeOver = () => {
    if (!row) return
    const theirs = pick(entries, row)
    const typed = entries.filter(({ name }) => values[name] !== base.values[name]).map(({ name }) => name)
    setValues({ ...theirs, ...Object.fromEntries(typed.map((name) => [name, values[name] ?? null])) })
    setBase({ values: theirs, at: row.updateTime })
    action.reset()
  }
  return (
    <Modal
      open
      width={640}
      title={title}
      okText={t(row ? 'save' : 'add')}
      cancelText={t('back')}
      okButtonProps={{ loading: action.busy, disabled: action.late.length > 0 }}
      onOk={send}
      onCancel={onClose}
    >
      <div className={styles.form}>
        {entries.map((entry, place) => (
          <div key={entry.name} data-wide={entry.wide || undefined}>
            <Field
              label={t(entry.label)}
              hint={entry.hint && t(entry.hint)}
              fault={(submitted && faults[entry.name]) || action.problemAt(entry.name)}
            >
              <Control
                entry={entry}
                value={values[entry.name] ?? null}
                wrong={Boolean((submitted && faults[entry.name]) || action.problemAt(entry.name))}
                first={place === 0}
                onChange={(value) => setValues({ ...values, [entry.name]: value })}
              />
            </Field>
          </div>
        ))}
      </div>
      <Problem text={action.problem} />
      {action.late.length > 0 && (
        <Warning alert>
          {t('changed-by-other', {
            fields: action.late
              .map((name) => t(entries.find((entry) => entry.name === name)?.label ?? name))
              .join(' · '),
          })}
          <Button size="small" onClick={newer ? takeOver : () => void onRefresh()}>
            {t(newer ? 'take-over' : 'refresh')}
          </Button>
        </Warning>
      )}
    </Modal>
  )
}

interface ControlProps {
  entry: RegistryField
  value: RegistryValue
  wrong: boolean
  first: boolean
  onChange(value: RegistryValue): void
}

function Control({ entry, value, wrong, first, onChange }: ControlProps) {
  const { t } = useTranslation('registry')
  const status = wrong ? { status: 'error' as const } : {}
  if (entry.kind === 'choice')
    return (
      <Select
        {...status}
        aria-label={t(entry.label)}
        value={value}
        options={[...(entry.options ?? [])]}
        showSearch={{ optionFilterProp: 'label' }}
        onChange={(chosen: RegistryValue) => onChange(chosen)}
      />
    )
  if (entry.kind === 'choices')
    return (
      <Select<number[]>
        {...status}
        mode="multiple"
        aria-label={t(entry.label)}
        value={Array.isArray(value) ? [...(value as readonly number[])] : []}
        options={(entry.options ?? []).map((option) => ({ value: Number(option.value), label: option.label }))}
        showSearch={{ optionFilterProp: 'label' }}
        maxTagCount={20}
        onChange={onChange}
      />
    )
  if (entry.kind === 'number')
    return (
      <InputNumber
        {...status}
        className={styles.number ?? ''}
        dir="ltr"
        precision={0}
        controls={false}
        value={value === null ? null : Number(value)}
        onChange={(number) => onChange(number)}
      />
    )
  if (entry.kind === 'secret')
    return (
      <Input.Password
        {...status}
        dir="ltr"
        autoComplete="new-password"
        value={String(value ?? '')}
        maxLength={entry.longest ?? 100}
        onChange={(event) => onChange(event.target.value || null)}
      />
    )
  return (
    <Input
      {...status}
      autoFocus={first}
      aria-invalid={wrong}
      value={String(value ?? '')}
      maxLength={entry.longest ?? 100}
      {...(entry.ltr && { dir: 'ltr' })}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
