/** Alarms over notices, day by day, as stacked lanes: with a sentence, and a table for those who do not see the columns. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { AlarmColumns, type Day } from '@/widgets/alarm/alarm-columns'
import styles from './alarm.module.css'

export function Chart({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation('alarm')
  const { number, date } = useFormats()
  const sum = (of: 'alarms' | 'notices') => days.reduce((all, day) => all + day[of], 0)
  const [alarms, notices] = [sum('alarms'), sum('notices')]
  const most = days.reduce(
    (top, day) => (day.alarms + day.notices > top.alarms + top.notices ? day : top),
    days[0] ?? NO,
  )
  return (
    <figure className={styles.chart}>
      <AlarmColumns days={days} />
      <figcaption>
        <Row wrap gap="l">
          <Legend tone="help" text={t('alarms')} />
          <Legend tone="paused" text={t('notices')} />
        </Row>
        <Text size="small" tone="quiet">
          {alarms + notices === 0
            ? t('chart-none')
            : t('chart-sentence', {
                ...{ alarms: number(alarms), notices: number(notices), day: date(most.at, 'UTC') },
                most: number(most.alarms + most.notices),
              })}
        </Text>
      </figcaption>
      <table className="unseen">
        <caption>{t('last-7-days')}</caption>
        <tbody>
          {days.map((day) => (
            <tr key={day.at}>
              <td>
                {t('day-counts', {
                  day: date(day.at, 'UTC'),
                  alarms: number(day.alarms),
                  notices: number(day.notices),
                })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

const NO: Day = { at: 0, alarms: 0, notices: 0 }

const Legend = ({ tone, text }: { tone: 'help' | 'paused'; text: string }) => (
  <Row as="span" inline gap="xs" align="center">
    <i className={styles.swatch} style={{ background: `var(--state-${tone})` }} />
    {text}
  </Row>
)
