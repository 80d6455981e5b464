/** A day, YYYY-MM-DD as on the wire; shown and typed as the language writes days (shared/theme/antd-scope.tsx). */
import { DatePicker } from 'antd'
import dayjs from 'dayjs'

const DAY = 'YYYY-MM-DD'

interface Props {
  /** '' while none is chosen. */
  value: string
  /** The first and the last that may be chosen. */
  from?: string
  until?: string
  label?: string
  clearable?: boolean
  disabled?: boolean
  onChange(day: string): void
}

export function DayInput({ value, from, until, label, clearable = false, disabled = false, onChange }: Props) {
  const outside = (day: string) => (from !== undefined && day < from) || (until !== undefined && day > until)
  return (
    <DatePicker
      {...(label && { 'aria-label': label })}
      allowClear={clearable}
      disabled={disabled}
      value={value ? dayjs(value) : null}
      disabledDate={(day) => outside(day.format(DAY))}
      onChange={(day) => onChange(day ? day.format(DAY) : '')}
    />
  )
}
