/** A form in a dialog: adds something, or edits it. A refusal stands at the field that the server names, else underneath. */
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { Control } from './control'
import { Field, Problem } from './field'
import { type FormField, type FormRow, type Option, same, type Value, type Values } from './fields'
import styles from './form.module.css'
import { Late } from './late'
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
  texts: string
  title: string
  fields: readonly FormField[]
  /** Of choices whose values only the screen knows, by the field's name. */
  options: Readonly<Record<string, readonly Option[]>>
  /** What stands there now; undefined where it is new. */
  row: FormRow | undefined
  start: Values
  action: Action
  onSend(values: Values, updateTime: string | undefined): void
  /** Reads the row again, so that `row` is what stands there now. */
  onRefresh(): Promise<unknown>
  onClose(): void
}

const LONGEST = 100

export function FormDialog({ texts, title, fields, row, start, action, onSend, onRefresh, onClose, ...props }: Props) {
  const { t } = useTranslation(texts)
  const form = useForm(fields, row, start)
  const late = action.late.length > 0
  const optionsOf = ({ name, choices }: FormField): readonly Option[] =>
    choices?.map(([value, word]) => ({ value, label: t(word) })) ?? props.options[name] ?? []
  const label = (name: string) => t(fields.find((field) => field.name === name)?.label ?? name)
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
      cancelText={t('common:back')}
      okButtonProps={{ loading: action.busy, disabled: late }}
      onOk={() => form.ready() && onSend(form.values, form.updateTime)}
      onCancel={onClose}
    >
      <div className={styles.form}>
        {fields.map((field, place) => {
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
                  longest={field.longest ?? LONGEST}
                  onChange={(value) => form.change(field.name, value)}
                />
              </Field>
            </div>
          )
        })}
      </div>
      <Problem text={late ? undefined : action.problem} />
      {late && (
        <Late
          fields={action.late}
          {...{ label, format, onRefresh }}
          theirs={form.theirs}
          values={form.values}
          typed={form.typed}
          onTake={(given) => {
            form.takeOver(given)
            action.reset()
          }}
        />
      )}
    </Modal>
  )
}
