/** A day, YYYY-MM-DD as on the wire; shown and typed as the language writes days (shared/theme/antd-scope.tsx). */
import { DatePicker } from 'antd'
import dayjs from 'dayjs'

const DAY = 'YYYY-MM-DD'

interface Props {
  /** '' while none is chosen. */
  value: string
  /** The first and the last that may be chosen. */
  from?: string | undefined
  until?: string | undefined
  label?: string
  placeholder?: string | undefined
  clearable?: boolean
  disabled?: boolean
  wrong?: boolean
  'aria-describedby'?: string
  onChange(day: string): void
}

export const today = () => dayjs().format(DAY)

export function DayInput({ value, from, until, label, placeholder, clearable, wrong, onChange, ...rest }: Props) {
  const outside = (day: string) => (from !== undefined && day < from) || (until !== undefined && day > until)
  return (
    <DatePicker
      {...rest}
      {...(wrong && { status: 'error', 'aria-invalid': true })}
      {...(placeholder && { placeholder })}
      {...(label && { 'aria-label': label })}
      allowClear={clearable ?? false}
      value={value ? dayjs(value) : null}
      disabledDate={(day) => outside(day.format(DAY))}
      onChange={(day) => onChange(day ? day.format(DAY) : '')}
    />
  )
}
