/** From a day to a day, either end open. Days are written YYYY-MM-DD, whole and inclusive. */
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useTranslation } from '@/shared/i18n/text'
import styles from './list.module.css'

const DAY = 'YYYY-MM-DD'
const parse = (day: string | undefined) => (day ? dayjs(day) : null)

interface Props {
  from: string | undefined
  to: string | undefined
  onChange(days: { from: string | undefined; to: string | undefined }): void
}

export function Days({ from, to, onChange }: Props) {
  const { t } = useTranslation('shell')
  return (
    <DatePicker.RangePicker
      className={styles.days ?? ''}
      aria-label={t('days')}
      value={[parse(from), parse(to)]}
      placeholder={[t('from'), t('to')]}
      allowEmpty={[true, true]}
      onChange={(range) => onChange({ from: range?.[0]?.format(DAY), to: range?.[1]?.format(DAY) })}
    />
  )
}
