/** From a day to a day, either end open, and the spans that are asked for most. Days are written YYYY-MM-DD, whole and inclusive. */
import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import styles from './list.module.css'

const DAY = 'YYYY-MM-DD'
const parse = (day: string | undefined) => (day ? dayjs(day) : null)

interface Props {
  from: string | undefined
  to: string | undefined
  /** How many days ago the first may be; without it any day may. */
  oldest?: number
  onChange(days: { from: string | undefined; to: string | undefined }): void
}

/** Each span with its first and last day. */
function spans(today: Dayjs): readonly { key: TextKey<'shell'>; value: [Dayjs, Dayjs] }[] {
  const [yesterday, lastMonth] = [today.subtract(1, 'day'), today.subtract(1, 'month')]
  return [
    { key: 'span-today', value: [today, today] },
    { key: 'span-yesterday', value: [yesterday, yesterday] },
    { key: 'span-7-days', value: [today.subtract(6, 'day'), today] },
    { key: 'span-this-month', value: [today.startOf('month'), today] },
    { key: 'span-last-month', value: [lastMonth.startOf('month'), lastMonth.endOf('month')] },
  ]
}

export function Days({ from, to, oldest, onChange }: Props) {
  const { t } = useTranslation('shell')
  const today = dayjs().startOf('day')
  const first = oldest === undefined ? undefined : today.subtract(oldest, 'day')
  const offered = spans(today).filter(({ value }) => !first || !value[0].isBefore(first, 'day'))
  return (
    <DatePicker.RangePicker
      className={styles.days ?? ''}
      aria-label={t('days')}
      value={[parse(from), parse(to)]}
      placeholder={[t('from'), t('to')]}
      allowEmpty={[true, true]}
      presets={offered.map(({ key, value }) => ({ label: t(key), value }))}
      disabledDate={(day) => day.isAfter(today, 'day') || (first !== undefined && day.isBefore(first, 'day'))}
      onChange={(range) => onChange({ from: range?.[0]?.format(DAY), to: range?.[1]?.format(DAY) })}
    />
  )
}
