/** On which days and between which hours, by the clock of the robot's own place. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import styles from './advert.module.css'
import type { Row } from './form'

export function When({ row }: { row: Row }) {
  const { t } = useTranslation('advert')
  const { date } = useFormats()
  const day = (text: string) => date(Date.parse(`${text}T00:00Z`), 'UTC')
  const { startDate, endDate, startTime, endTime, zones } = row
  const days =
    startDate && endDate
      ? t('from-to', { from: day(startDate), to: day(endDate) })
      : startDate
        ? t('from-on', { day: day(startDate) })
        : endDate
          ? t('until', { day: day(endDate) })
          : t('every-day')
  return (
    <>
      <span>{days}</span>
      <span className={styles.remark}>
        {startTime ? <bdi dir="ltr">{`${startTime}–${endTime}`}</bdi> : t('all-day')}
        {' · '}
        {zones.length === 1 ? <bdi dir="ltr">{zones[0]}</bdi> : t('local-time')}
      </span>
    </>
  )
}
