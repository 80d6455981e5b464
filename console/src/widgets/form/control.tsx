/**
 * The control of one field, by its kind. They are Ant Design's: a search among four hundred time zones and a choice of several
 * are worth it here, and dialogs are no part of a first load.
 */
import { Input, InputNumber, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { DevicePicker } from './device-picker'
import type { FormField, Limit, Option, Value } from './fields'
import styles from './form.module.css'
import { ClockInput } from './time/clock-input'
import { DayInput, today } from './time/day-input'
import { MomentInput } from './time/moment-input'

interface Props {
  field: FormField
  label: string
  placeholder: string | undefined
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

/** An address or a code is no sentence. */
const LTR = { dir: 'ltr', autoCapitalize: 'none', spellCheck: false } as const

/** What `Field` ties to the control: who says what is wrong with it. */
type Described = { readonly 'aria-describedby'?: string }

export function Control({
  field,
  label,
  placeholder,
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
        {...(placeholder && { placeholder })}
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
        {...(placeholder && { placeholder })}
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
  if (field.kind === 'day' || field.kind === 'moment') {
    const Picker = field.kind === 'day' ? DayInput : MomentInput
    const now = field.kind === 'day' ? today() : new Date().toISOString()
    return (
      <Picker
        {...described}
        {...{ label, placeholder, wrong, disabled }}
        from={field.from && now}
        until={field.until && now}
        value={String(value ?? '')}
        clearable={field.clearable ?? false}
        onChange={(chosen) => onChange(chosen || null)}
      />
    )
  }
  if (field.kind === 'robot')
    return (
      <DevicePicker
        {...described}
        {...{ label, wrong, disabled }}
        placeholder={placeholder ?? ''}
        value={value === null ? undefined : Number(value)}
        onChange={(robot) => onChange(robot ?? null)}
      />
    )
  if (field.kind === 'number')
    return (
      <InputNumber
        {...status}
        {...aria}
        aria-label={label}
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
      placeholder={placeholder ?? ''}
      value={String(value ?? '')}
      maxLength={limit?.maxLength}
      {...(field.ltr ? LTR : { dir: 'auto' as const })}
      {...(field.inputMode && { inputMode: field.inputMode })}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
