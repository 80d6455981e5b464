/** The days of the week on which it comes; all at once, or none. */
import { Button, Checkbox } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { dayMs, weekOf } from '../calendar/days'
import styles from './schedule.module.css'

const EVERY = [1, 2, 3, 4, 5, 6, 7] as const
const SOME_WEEK = weekOf('2024-01-01').map(dayMs)

/** "Mon, Tue"; "Every day". */
export function useDayNames() {
  const { t } = useTranslation('task')
  const { dayName } = useFormats()
  const name = (day: number) => dayName(SOME_WEEK[day - 1] ?? 0)
  const names = (days: readonly number[]) => (days.length === EVERY.length ? t('every-day') : days.map(name).join(', '))
  return { name, names }
}

interface Props {
  days: readonly number[]
  fault: string | undefined
  onChange(days: readonly number[]): void
}

export function Days({ days, fault, onChange }: Props) {
  const { t } = useTranslation('task')
  const { name } = useDayNames()
  const all = days.length === EVERY.length
  return (
    <Row as="fieldset" wrap gap="m" lines="xs" align="center" className={styles.days}>
      <legend>{t('repeat')}</legend>
      {EVERY.map((day) => (
        <Checkbox
          key={day}
          checked={days.includes(day)}
          onChange={({ target }) =>
            onChange(target.checked ? [...days, day].sort() : days.filter((other) => other !== day))
          }
        >
          {name(day)}
        </Checkbox>
      ))}
      <Button size="small" type="link" onClick={() => onChange(all ? [] : EVERY)}>
        {t(all ? 'no-day' : 'every-day')}
      </Button>
      <Problem text={fault} />
    </Row>
  )
}
