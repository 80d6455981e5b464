/** A form in a dialog: adds something, or edits it. A refusal stands at the field that the server names, else underneath. */

import { type ReactElement, type ReactNode, useId } from 'react'
import { useFormats } from '@/shared/i18n/format'
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
  /** What sends it, where that is neither "Add" nor "Save". */
  verb?(values: Values): string
  /** Above the fields. */
  head?: ReactNode
  /** Below the fields. */
  foot?(values: Values): ReactNode
  /** Whether sending it destroys something. */
  danger?(values: Values): boolean
  /** Controls that only this screen has, by the field's name. */
  controls?: Readonly<Record<string, (value: Value, change: (value: Value) => void) => ReactElement>>
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

/** There Enter chooses the day that was typed, and sends nothing. */
const isInCalendar = (target: EventTarget) => target instanceof Element && target.closest('.ant-picker') !== null

export function FormDialog(props: Props) {
  const { texts, title, fields, row, start, action, suffix, onSend, onRefresh = async () => {}, onClose } = props
  const { t } = useTranslation(texts)
  const { dateTime } = useFormats()
  const form = useForm(fields, row, start, props.draft)
  const id = useId()
  const late = action.late.length > 0
  const optionsOf = ({ name, choices }: FormField): readonly Option[] =>
    choices?.map(([value, word]) => ({ value, label: t(word) })) ?? props.options[name] ?? []
  const label = (name: string) => t(fields.find((field) => field.name === name)?.label ?? 'shell:other-data')
  const format = (name: string, value: Value) => {
    const field = fields.find((entry) => entry.name === name)
    if (value !== null && field?.kind === 'moment') return dateTime(Date.parse(String(value)))
    const chosen = field && optionsOf(field).find((option) => same(option.value, value))
    return chosen?.label ?? String(value ?? '')
  }
  return (
    <Modal
      open
      width={640}
      title={title}
      okText={props.verb?.(form.values) ?? t(row ? 'common:save' : 'common:add')}
      cancelText={t('common:cancel')}
      okButtonProps={{
        ...({ htmlType: 'submit', form: id } as const),
        ...{ loading: action.busy, disabled: late, danger: props.danger?.(form.values) ?? false },
      }}
      {...form.closing(onClose)}
    >
      <DraftNote savedAt={form.draftOf} onDiscard={form.discard} />
      {props.head}
      <form
        id={id}
        noValidate
        className={styles.form}
        onKeyDown={(event) => event.key === 'Enter' && isInCalendar(event.target) && event.preventDefault()}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation() // what it opened is no part of it
          if (form.ready()) onSend(form.values, form.updateTime, form.typed)
        }}
      >
        {fields.map((field, place) => {
          const change = (value: Value) => form.change(field.name, value)
          const fault = form.faultAt(field.name)
          const problem = fault ? t(fault) : action.problemAt(field.name)
          const own = props.controls?.[field.name]
          const value = form.values[field.name] ?? null
          return (
            <div key={field.name} data-wide={field.wide}>
              <Field
                label={t(field.label)}
                hint={field.hint && t(field.hint)}
                fault={problem}
                group={field.group ?? false}
              >
                {own ? (
                  own(value, change)
                ) : (
                  <Control
                    field={field}
                    label={t(field.label)}
                    placeholder={field.placeholder ? t(field.placeholder) : field.example}
                    options={optionsOf(field)}
                    value={value}
                    wrong={problem !== undefined}
                    first={place === 0}
                    limit={props.limits[field.name]}
                    disabled={props.disabled?.(field.name, form.values) ?? false}
                    suffix={suffix?.(field.name, form.values, change)}
                    onChange={change}
                  />
                )}
              </Field>
            </div>
          )
        })}
      </form>
      {props.foot?.(form.values)}
      <Outcome
        {...{ form, label, format, onRefresh }}
        action={form.refused ? { ...action, problem: t('shell:form-failed') } : action}
      />
    </Modal>
  )
}
