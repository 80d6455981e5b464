/** A time of the day to the minute, HH:MM as on the wire and in lists: by 24 hours in every language. */
import { TimePicker } from 'antd'
import dayjs from 'dayjs'

const CLOCK = 'HH:mm'

interface Props {
  /** '' while none is chosen. */
  value: string
  size?: 'small' | 'middle'
  disabled?: boolean
  onChange(value: string): void
}

export const ClockInput = ({ value, size = 'middle', disabled = false, onChange }: Props) => (
  <TimePicker
    format={CLOCK}
    size={size}
    disabled={disabled}
    needConfirm={false}
    allowClear={false}
    value={value ? dayjs(`2000-01-01T${value}`) : null}
    placeholder=""
    onChange={(time) => time && onChange(time.format(CLOCK))}
  />
)
