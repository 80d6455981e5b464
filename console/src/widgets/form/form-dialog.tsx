/** A form in a dialog: adds something, or edits it. A refusal stands at the field that the server names, else underneath. */

import type { ReactNode } from 'react'
import { type Pack, useTranslation } from '@/shared/i18n/text'
import { Modal } from '@/shared/ui/modal'
import { Control } from './control'
import { DraftNote } from './draft/draft-note'
import { Field } from './field'
import { type FormField, type FormRow, type Limit, type Option, same, type Value, type Values } from './fields'
import styles from './form.module.css'
import { Outcome } from './outcome'
import { useForm } from './use-form'

interface Action {
  readonly busy: boolean
  readonly late: readonly string[]
  readonly problem: string | undefined
  problemAt(name: string): string | undefined
  reset(): void
}

interface Props {
  /** The pack that its texts are in. */
  texts: Pack
  title: string
  fields: readonly FormField[]
  /** Of the call, by the names of its fields. */
  limits: Readonly<Record<string, Limit>>
  /** Of choices whose values only the screen knows, by the field's name. */
  options: Readonly<Record<string, readonly Option[]>>
  /** What stands there now; undefined where it is new. */
  row: FormRow | undefined
  start: Values
  /** What its draft is of. */
  draft: string
  action: Action
  /** Above the fields. */
  head?: ReactNode
  /** Behind a number, within its control. */
  suffix?(name: string, values: Values, change: (value: Value) => void): ReactNode
  /** Whether a field waits for another. */
  disabled?(name: string, values: Values): boolean
  /** `typed`: names of the fields that were changed here. */
  onSend(values: Values, updateTime: string | undefined, typed: readonly string[]): void
  /** Reads the row again, so that `row` is what stands there now; nothing where it is new. */
  onRefresh?(): Promise<unknown>
  onClose(): void
}

export function FormDialog(props: Props) {
  const { texts, title, fields, row, start, action, suffix, onSend, onRefresh = async () => {}, onClose } = props
  const { t } = useTranslation(texts)
  const form = useForm(fields, row, start, props.draft)
  const late = action.late.length > 0
  const optionsOf = ({ name, choices }: FormField): readonly Option[] =>
    choices?.map(([value, word]) => ({ value, label: t(word) })) ?? props.options[name] ?? []
  const label = (name: string) => t(fields.find((field) => field.name === name)?.label ?? 'shell:other-data')
  const format = (name: string, value: Value) => {
    const field = fields.find((entry) => entry.name === name)
    const chosen = field && optionsOf(field).find((option) => same(option.value, value))
    return chosen?.label ?? String(value ?? '')
  }
  return (
    <Modal
      open
      width={640}
      title={title}
      okText={t(row ? 'common:save' : 'common:add')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy, disabled: late }}
      onOk={() => form.ready() && onSend(form.values, form.updateTime, form.typed)}
      {...form.closing(onClose)}
    >
      <DraftNote savedAt={form.draftOf} onDiscard={form.discard} />
      {props.head}
      <div className={styles.form}>
        {fields.map((field, place) => {
          const change = (value: Value) => form.change(field.name, value)
          const fault = form.faultAt(field.name)
          const problem = fault ? t(fault) : action.problemAt(field.name)
          return (
            <div key={field.name} data-wide={field.wide}>
              <Field label={t(field.label)} hint={field.hint && t(field.hint)} fault={problem}>
                <Control
                  field={field}
                  label={t(field.label)}
                  options={optionsOf(field)}
                  value={form.values[field.name] ?? null}
                  wrong={problem !== undefined}
                  first={place === 0}
                  limit={props.limits[field.name]}
                  disabled={props.disabled?.(field.name, form.values) ?? false}
                  suffix={suffix?.(field.name, form.values, change)}
                  onChange={change}
                />
              </Field>
            </div>
          )
        })}
      </div>
      <Outcome
        {...{ form, label, format, onRefresh }}
        action={form.refused ? { ...action, problem: t('shell:form-failed') } : action}
      />
    </Modal>
  )
}
