/** The days and the hours; a range from the evening to the morning goes over midnight. */
import { DatePicker, TimePicker } from 'antd'
import dayjs from 'dayjs'
import { useTranslation } from '@/shared/i18n/text'
import { Problem } from '@/widgets/form/field'
import styles from './advert.module.css'
import type { Values } from './form'

const DAY = 'YYYY-MM-DD'
const CLOCK = 'HH:mm'

interface Props {
  values: Values
  fault: string | undefined
  onChange(part: Partial<Values>): void
}

export function Hours({ values, fault, onChange }: Props) {
  const { t } = useTranslation('advert')
  const day = (text: string | null) => (text ? dayjs(text) : null)
  const clock = (text: string) => (text ? dayjs(`2000-01-01T${text}`) : null)
  return (
    <div className={styles.group}>
      <div className={styles.pair}>
        <fieldset>
          <legend>{t('days')}</legend>
          <DatePicker.RangePicker
            aria-label={t('days')}
            value={[day(values.startDate), day(values.endDate)]}
            placeholder={[t('from'), t('to')]}
            allowEmpty={[true, true]}
            onChange={(range) =>
              onChange({ startDate: range?.[0]?.format(DAY) ?? null, endDate: range?.[1]?.format(DAY) ?? null })
            }
          />
        </fieldset>
        <fieldset>
          <legend>{t('hours')}</legend>
          <TimePicker.RangePicker
            aria-label={t('hours')}
            format={CLOCK}
            value={[clock(values.startTime), clock(values.endTime)]}
            placeholder={[t('from'), t('to')]}
            order={false}
            needConfirm={false}
            onChange={(range) =>
              onChange({ startTime: range?.[0]?.format(CLOCK) ?? '', endTime: range?.[1]?.format(CLOCK) ?? '' })
            }
          />
        </fieldset>
      </div>
      {fault ? <Problem text={fault} /> : <p className={styles.remark}>{t('when-how')}</p>}
    </div>
  )
}
