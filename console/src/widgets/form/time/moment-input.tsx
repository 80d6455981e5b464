/** A moment to the minute, ISO 8601 in UTC as on the wire; shown in the reader's own time. */
import { DatePicker } from 'antd'
import dayjs from 'dayjs'

interface Props {
  /** '' while none is chosen. */
  value: string
  from?: string | undefined
  until?: string | undefined
  label: string
  placeholder?: string | undefined
  clearable?: boolean
  disabled?: boolean
  wrong?: boolean
  'aria-describedby'?: string
  onChange(moment: string): void
}

export const MomentInput = ({ value, from, until, label, placeholder, clearable, wrong, onChange, ...rest }: Props) => (
  <DatePicker
    {...rest}
    {...(wrong && { status: 'error', 'aria-invalid': true })}
    {...(placeholder && { placeholder })}
    {...(from && { minDate: dayjs(from) })}
    {...(until && { maxDate: dayjs(until) })}
    aria-label={label}
    showTime={{ format: 'HH:mm' }}
    allowClear={clearable ?? false}
    value={value ? dayjs(value) : null}
    onChange={(moment) => onChange(moment?.toISOString() ?? '')}
  />
)
