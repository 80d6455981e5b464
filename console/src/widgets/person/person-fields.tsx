/** The fields of an account that are the same when it is made and when it is edited. */
import { Input } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Field } from '../form/field'
import type { Faults, Person } from './person'

const LIMIT = LIMITS['/user/insertUser']
const LONGEST_PHONE = 20 // more than its 11 digits: what is too long is shown and refused, not cut off

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
        {input('name', { maxLength: LIMIT.name.maxLength })}
      </Field>
      <Field label={t('phone')} fault={fault('phone')}>
        {input('phone', { maxLength: LONGEST_PHONE, dir: 'ltr', inputMode: 'tel' })}
      </Field>
      <Field label={t('channel-email')} hint={t('email-hint')} fault={fault('email')}>
        {input('email', { maxLength: LIMIT.email.maxLength, dir: 'ltr', inputMode: 'email' })}
      </Field>
    </>
  )
}
