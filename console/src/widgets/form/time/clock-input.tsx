/** A time of the day to the minute, HH:MM as on the wire and in lists: by 24 hours in every language. */
import { TimePicker } from 'antd'
import dayjs from 'dayjs'

const CLOCK = 'HH:mm'

interface Props {
  /** '' while none is chosen. */
  value: string
  size?: 'small' | 'middle'
  disabled?: boolean
  wrong?: boolean
  /** Whether it may be none. */
  clearable?: boolean
  /** Its name, where no label stands beside it. */
  label?: string
  'aria-describedby'?: string | undefined
  onChange(value: string): void
}

export const ClockInput = ({
  value,
  size = 'middle',
  disabled = false,
  wrong = false,
  clearable = false,
  label,
  onChange,
  ...described
}: Props) => (
  <TimePicker
    {...described}
    {...(label && { 'aria-label': label })}
    {...(wrong && { status: 'error' as const })}
    format={CLOCK}
    size={size}
    disabled={disabled}
    needConfirm={false}
    allowClear={clearable}
    value={value ? dayjs(`2000-01-01T${value}`) : null}
    placeholder=""
    onChange={(time) => onChange(time?.format(CLOCK) ?? '')}
  />
)
