/** What each API key has, whatever it may do: its name and how long it lives. */
import { Input, Select } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Field } from '@/widgets/form/field'

const DAYS = [7, 30, 90, 180, 366] as const // the server's longest is the last
export const LONGEST_DAYS = 366

interface Props {
  label: string
  name: string
  onName(name: string): void
  fault: string | undefined
  days: number
  onDays(days: number): void
}

export function KeyFields({ label, name, onName, fault, days, onDays }: Props) {
  const { t } = useTranslation('people')
  return (
    <>
      <Field label={label} fault={fault}>
        <Input
          value={name}
          onChange={(event) => onName(event.target.value)}
          maxLength={LIMITS['/user/apiKey/insert'].name.maxLength}
        />
      </Field>
      <Field label={t('valid-for')}>
        <Select
          value={days}
          onChange={onDays}
          aria-label={t('valid-for')}
          options={DAYS.map((count) => ({ value: count, label: t('count-days', { count }) }))}
        />
      </Field>
    </>
  )
}
