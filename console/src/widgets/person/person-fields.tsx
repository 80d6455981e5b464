/** The fields of an account that are the same when it is made and when it is edited. */
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { Field } from '../form/field'
import type { Faults, Person } from './person'

type Typed = Omit<Person, 'account'>

interface Props<T extends Typed> {
  value: T
  onChange(value: T): void
  faults: Faults
}

export function PersonFields<T extends Typed>({ value, onChange, faults }: Props<T>) {
  const { t } = useTranslation('people')
  const fault = (key: keyof Typed) => faults[key] && t(faults[key])
  const input = (key: keyof Typed, more: { maxLength: number; dir?: 'ltr'; inputMode?: 'tel' | 'email' }) => (
    <Input
      value={value[key]}
      onChange={(event) => onChange({ ...value, [key]: event.target.value })}
      {...(faults[key] && { status: 'error' as const })}
      aria-invalid={faults[key] !== undefined}
      autoComplete="off"
      {...more}
    />
  )
  return (
    <>
      <Field label={t('name')} fault={fault('name')}>
        {input('name', { maxLength: 100 })}
      </Field>
      <Field label={t('phone')} fault={fault('phone')}>
        {input('phone', { maxLength: 20, dir: 'ltr', inputMode: 'tel' })}
      </Field>
      <Field label={t('channel-email')} hint={t('email-hint')} fault={fault('email')}>
        {input('email', { maxLength: 500, dir: 'ltr', inputMode: 'email' })}
      </Field>
    </>
  )
}
