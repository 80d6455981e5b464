/**
 * The control of one field, by its kind. They are Ant Design's: a search among four hundred time zones and a choice of several
 * are worth it here, and dialogs are no part of a first load.
 */
import { Input, InputNumber, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { ClockInput } from './clock-input'
import type { FormField, Limit, Option, Value } from './fields'
import styles from './form.module.css'

interface Props {
  field: FormField
  label: string
  options: readonly Option[]
  value: Value
  wrong: boolean
  first: boolean
  /** What the call takes in it. */
  limit: Limit | undefined
  disabled: boolean
  /** Within a number, behind it. */
  suffix?: ReactNode
  onChange(value: Value): void
}

/** What `Field` ties to the control: who says what is wrong with it. */
type Described = { readonly 'aria-describedby'?: string }

export function Control({
  field,
  label,
  options,
  value,
  wrong,
  first,
  limit,
  disabled,
  suffix,
  onChange,
  ...described
}: Props & Described) {
  const status = wrong ? { status: 'error' as const } : {}
  const aria = { ...described, disabled, 'aria-invalid': wrong }
  if (field.kind === 'choice')
    return (
      <Select
        {...status}
        {...aria}
        aria-label={label}
        value={value}
        options={[...options]}
        allowClear={field.clearable ?? false}
        showSearch={{ optionFilterProp: 'label' }}
        onChange={(chosen: Value | undefined) => onChange(chosen ?? null)}
      />
    )
  if (field.kind === 'choices')
    return (
      <Select<number[]>
        {...status}
        {...aria}
        mode="multiple"
        aria-label={label}
        value={Array.isArray(value) ? [...value] : []}
        options={options.map((option) => ({ value: Number(option.value), label: option.label }))}
        showSearch={{ optionFilterProp: 'label' }}
        maxTagCount={20}
        onChange={onChange}
      />
    )
  if (field.kind === 'clock')
    return (
      <ClockInput
        {...described}
        label={label}
        value={String(value ?? '')}
        wrong={wrong}
        disabled={disabled}
        clearable={field.clearable ?? false}
        onChange={onChange}
      />
    )
  if (field.kind === 'number')
    return (
      <InputNumber
        {...status}
        {...aria}
        className={styles.number ?? ''}
        dir="ltr"
        {...(field.digits === undefined && { precision: 0 })}
        controls={false}
        suffix={suffix}
        value={value === null ? null : Number(value)}
        onChange={(number) => onChange(number)}
      />
    )
  if (field.kind === 'switch')
    return <Switch {...described} disabled={disabled} aria-label={label} checked={value === true} onChange={onChange} />
  if (field.kind === 'secret')
    return (
      <Input.Password
        {...status}
        {...aria}
        dir="ltr"
        autoComplete="new-password"
        value={String(value ?? '')}
        maxLength={limit?.maxLength}
        onChange={(event) => onChange(event.target.value || null)}
      />
    )
  if (field.kind === 'text')
    return (
      <Input.TextArea
        {...status}
        {...aria}
        dir="auto"
        rows={4}
        value={String(value ?? '')}
        maxLength={limit?.maxLength}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <Input
      {...status}
      {...aria}
      autoFocus={first}
      value={String(value ?? '')}
      maxLength={limit?.maxLength}
      dir={field.ltr ? 'ltr' : 'auto'}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
