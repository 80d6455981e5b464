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

type Run = readonly [first: number, last: number]

/** Three days or more in a row as one run, others by themselves. */
export function runsOf(days: readonly number[]): Run[] {
  const runs: Run[] = []
  for (const day of [...days].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.[1] === day - 1) runs[runs.length - 1] = [run[0], day]
    else runs.push([day, day])
  }
  return runs.flatMap(([first, last]): Run[] =>
    last - first === 1
      ? [
          [first, first],
          [last, last],
        ]
      : [[first, last]],
  )
}

/** "Mon, Thu"; "Mon–Fri"; "Every day". */
export function useDayNames() {
  const { t } = useTranslation('task')
  const { dayName, list } = useFormats()
  const name = (day: number) => dayName(SOME_WEEK[day - 1] ?? 0)
  const span = ([first, last]: Run) => (first === last ? name(first) : `${name(first)}–${name(last)}`)
  const names = (days: readonly number[]) =>
    days.length === EVERY.length ? t('every-day') : list(runsOf(days).map(span))
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
