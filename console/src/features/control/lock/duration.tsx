/** For how long control is taken: five durations, the last without an end. */
import { Select } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { DURATIONS, type Minutes } from './lock'

const HOUR = 60

interface Props {
  value: Minutes
  small?: boolean
  onChange(minutes: Minutes): void
}

export function Duration({ value, small, onChange }: Props) {
  const { t } = useTranslation('control')
  const { unit } = useFormats()
  const name = (minutes: Minutes) => {
    if (minutes === 0) return t('long-term')
    return minutes < HOUR ? unit(minutes, 'minute') : unit(minutes / HOUR, 'hour')
  }
  return (
    <Select
      aria-label={t('control-duration')}
      value={value}
      onChange={onChange}
      popupMatchSelectWidth={false}
      {...(small && { size: 'small' as const })}
      options={DURATIONS.map((minutes) => ({ value: minutes, label: name(minutes) }))}
    />
  )
}
