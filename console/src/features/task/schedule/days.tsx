/** The days of the week on which it comes; all at once, or none. */
import { Button, Checkbox } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { useDayNames, WEEK } from '@/widgets/week'
import styles from './schedule.module.css'

interface Props {
  days: readonly number[]
  fault: string | undefined
  onChange(days: readonly number[]): void
}

export function Days({ days, fault, onChange }: Props) {
  const { t } = useTranslation('task')
  const { name } = useDayNames()
  const all = days.length === WEEK.length
  return (
    <Row as="fieldset" wrap gap="m" lines="xs" align="center" className={styles.days}>
      <legend>{t('repeat')}</legend>
      {WEEK.map((day) => (
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
      <Button size="small" type="link" onClick={() => onChange(all ? [] : WEEK)}>
        {t(all ? 'no-day' : 'every-day')}
      </Button>
      <Problem text={fault} />
    </Row>
  )
}
