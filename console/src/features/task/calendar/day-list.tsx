/** The calendar where there is no room for a table: one day under the other, each with its robots' work. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Cell } from './cell'
import { dayMs } from './days'
import { type GridProps, isHalted } from './grid'
import styles from './grid.module.css'
import { cells } from './week'

export function DayList({
  label,
  days,
  today,
  now,
  zone,
  robots,
  list,
  runs,
  tones,
  modeOf,
  onOpen,
  onAdd,
}: GridProps) {
  const { t } = useTranslation('task')
  const { weekday } = useFormats()
  const [byCell, others] = [cells(list, zone), cells(runs, zone)]
  return (
    <ul className={styles.days} aria-label={label}>
      {days.map((day) => {
        const busy = robots.filter(
          ({ deviceId }) => byCell.has(`${deviceId}/${day}`) || others.has(`${deviceId}/${day}`),
        )
        return (
          <li key={day} data-today={day === today || undefined}>
            <Row gap="m" align="baseline">
              <Text as="h3" size="body" strong>
                {weekday(dayMs(day))}
              </Text>
              {day === today && (
                <Text as="span" size="small" tone="soft">
                  {t('today')}
                </Text>
              )}
            </Row>
            {busy.length === 0 && (
              <Text size="small" tone="soft">
                {t('nothing-that-day')}
              </Text>
            )}
            {busy.map((robot) => (
              <section key={robot.deviceId} aria-label={robot.deviceCode}>
                <Text as="h4" size="small" strong>
                  <bdi>{robot.deviceCode}</bdi>
                </Text>
                <Cell
                  {...{ robot, day, today, now, zone, tones, onOpen, onAdd }}
                  list={byCell.get(`${robot.deviceId}/${day}`) ?? []}
                  runs={others.get(`${robot.deviceId}/${day}`) ?? []}
                  halted={isHalted(modeOf(robot.deviceId))}
                />
              </section>
            ))}
          </li>
        )
      })}
    </ul>
  )
}
