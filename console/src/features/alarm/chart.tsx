/** Alarms over notices, day by day, as stacked lanes: with a sentence, and a table for those who do not see the columns. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import styles from './alarm.module.css'
import type { Day } from './days'

const WIDTH = 300
const HEIGHT = 70
const AXIS = 17
const PITCH = 5.2 // px from lane to lane
const LANE = 4.2
const GAP = 18

export function Chart({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation('alarm')
  const { number, dayName, date } = useFormats()
  const sum = (of: 'alarms' | 'notices') => days.reduce((all, day) => all + day[of], 0)
  const [alarms, notices] = [sum('alarms'), sum('notices')]
  const most = days.reduce(
    (top, day) => (day.alarms + day.notices > top.alarms + top.notices ? day : top),
    days[0] ?? NO,
  )
  const step = WIDTH / Math.max(days.length, 1)
  const lane = Math.max(1, Math.ceil((most.alarms + most.notices) / Math.floor((HEIGHT - AXIS) / PITCH)))
  const lanes = (day: Day, place: number) => {
    const below = Math.ceil(day.notices / lane)
    const all = below + Math.ceil(day.alarms / lane)
    return Array.from({ length: Math.max(all, 1) }, (_, nth) => ({
      x: place * step + GAP / 2,
      y: HEIGHT - AXIS - LANE - nth * PITCH,
      fill: all === 0 ? 'var(--state-idle-tint)' : nth < below ? 'var(--state-paused)' : 'var(--state-help)',
    }))
  }
  return (
    <figure className={styles.chart}>
      <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} overflow="visible" aria-hidden="true">
        {days.flatMap(lanes).map(({ x, y, fill }) => (
          <rect key={`${x}/${y}`} x={x} y={y} width={step - GAP} height={LANE} rx="1" fill={fill} />
        ))}
        {days.map(({ at }, place) => (
          <text key={at} x={(place + 0.5) * step} y={HEIGHT - 2} className={styles.tick}>
            {dayName(at)}
          </text>
        ))}
      </svg>
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
