/** A range in one sentence and in its figures, beside as many days before. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import styles from './chart.module.css'
import type { Figure } from './filters'
import { noonOf, type Sums, VIEWS } from './points'

interface Whole extends Sums {
  readonly clearedRuns: number
  readonly before: Sums
}

interface Props {
  whole: Whole
  start: string
  end: string
  figures: readonly Figure[]
}

export function SumsPanel({ whole, start, end, figures }: Props) {
  const { t } = useTranslation('chart')
  const formats = useFormats()
  const { days, area, duration, number, unit } = formats
  const say = (figure: Figure, of: Sums) => {
    const value = VIEWS[figure].value(of)
    return value === null ? '…' : VIEWS[figure].write(value, formats)
  }
  const words = {
    days: days(noonOf(start), noonOf(end)),
    area: area(whole.cleanedArea).text,
    time: duration(whole.time),
  }
  return (
    <Panel>
      <Row stack gap="l" pad="panel">
        <Text>
          {whole.runs > 0 ? t('in-short', words) : t('in-short-nothing', words)}{' '}
          {t('before', { area: area(whole.before.cleanedArea).text })}
        </Text>
        <dl className={styles.figures}>
          {figures.map((figure) => (
            <div key={figure}>
              <dt>{t(VIEWS[figure].label)}</dt>
              <dd>
                {say(figure, whole)}
                {figure !== 'online' && VIEWS[figure].value(whole.before) !== null && (
                  <Text size="small" tone="soft" strong={false}>
                    {t('was', { value: say(figure, whole.before) })}
                  </Text>
                )}
              </dd>
            </div>
          ))}
          <div>
            <dt>{t('runs')}</dt>
            <dd>{number(whole.runs)}</dd>
          </div>
          <div>
            <dt>{t('liquid')}</dt>
            <dd>{unit(whole.liquidMl / 1000, 'litre', 1)}</dd>
          </div>
        </dl>
        {whole.clearedRuns > 0 && (
          <Text size="small" tone="soft">
            {t('cleared', { runs: number(whole.clearedRuns) })}
          </Text>
        )}
      </Row>
    </Panel>
  )
}
